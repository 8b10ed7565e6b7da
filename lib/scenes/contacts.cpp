#include "frictionbench/scenes/contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "frictionbench/scenes/internal/neighbours.hpp"
#include "frictionbench/scenes/internal/shapes.hpp"
#include "frictionbench/scenes/internal/wedges.hpp"
#include "frictionbench/scenes/internal/wires.hpp"
#include "frictionbench/scenes/reduction.hpp"

namespace frictionbench::scenes {

namespace {

// Collects the contacts of one pair of bodies, or of a body and a plane.
class Detector {
 public:
  explicit Detector(const World& world)
      : world_(world), moving_(static_cast<int>(world.bodies.size())) {}

  void body_and_plane(int a, int plane_index) {
    shifted_ = Contact::fixed;
    plane_ = plane_index;
    const Plane& plane = world_.planes[static_cast<std::size_t>(plane_index)];
    const Body& body = this->body(a);
    const Matrix3 axes = body.rotation.toRotationMatrix();
    const auto add_point = [&](const Vector3& point, double radius) {
      const double gap = plane.normal.dot(point) - plane.offset - radius;
      add(a, Contact::fixed, plane.normal, point - (radius + gap / 2) * plane.normal, gap,
          plane.mu);
    };
    for (const Vector3& local : core(body.shape))
      add_point(body.position + axes * local, round_radius(body.shape));
    for (const Vector3& local : touching_points(body.shape, world_.dimension))
      add_point(body.position + axes * local, 0);
  }

  void body_and_fixture(int a, int fixture) { bodies(a, moving_ + fixture); }

  // A `b` from the number of bodies on is a fixture.
  void bodies(int a, int b) {
    choose_copy(a, b);
    if (is_wire(a) || is_wire(b)) {
      wires(a, b);
      return;
    }
    const bool sphere_a = std::holds_alternative<Sphere>(body(a).shape);
    const bool sphere_b = std::holds_alternative<Sphere>(body(b).shape);
    if (sphere_a && sphere_b) {
      spheres(a, b);
    } else if (sphere_a) {
      sphere_and_solid(a, b, a);
    } else if (sphere_b) {
      sphere_and_solid(b, a, a);
    } else if (near(a, b)) {
      const bool wedge_a = std::holds_alternative<Wedge>(body(a).shape);
      const bool wedge_b = std::holds_alternative<Wedge>(body(b).shape);
      if (wedge_a != wedge_b)
        throw UnsupportedContact(fmt::format("bodies {} and {} are a box near a wedge", b, a));
      wedge_a ? wedges(a, b) : boxes(a, b);
    }
  }

  std::vector<Contact> take() { return std::move(contacts_); }

 private:
  bool is_fixture(int index) const { return index >= moving_; }

  const Body& body(int index) const {
    return is_fixture(index) ? world_.fixtures[static_cast<std::size_t>(index - moving_)]
                             : world_.bodies[static_cast<std::size_t>(index)];
  }

  // Two balls have formulas of their own.
  bool is_wire(int index) const {
    return std::holds_alternative<Capsule>(body(index).shape) ||
           std::holds_alternative<Ring>(body(index).shape);
  }

  // Of the copy that the pair at hand is about.
  Vector3 position(int index) const {
    return index == shifted_ ? Vector3(body(index).position + shift_) : body(index).position;
  }

  // Looks at the copy of b that is nearest to a.
  void choose_copy(int a, int b) {
    shifted_ = Contact::fixed;
    if (world_.period.isZero(0) || is_fixture(b)) return;
    shift_ = whole_periods(world_, body(a).position - body(b).position);
    if (!shift_.isZero(0)) shifted_ = b;
  }

  Vector3 free_velocity(int index, const Vector3& point) const {
    if (index == Contact::fixed || is_fixture(index)) return Vector3::Zero();
    const Body& body = this->body(index);
    return body.velocity + world_.time_step * (world_.gravity + body.force / body.mass) +
           body.angular_velocity.cross(point - position(index));
  }

  void add(int a, int b, const Vector3& normal, const Vector3& point, double gap, double mu_b) {
    const double opening = normal.dot(free_velocity(a, point) - free_velocity(b, point));
    if (gap + world_.time_step * std::min(opening, 0.0) > world_.contact_margin) return;
    if (std::abs(gap) < gap_round_off) gap = 0;
    // The square root of a square is exact, so equal surfaces keep exactly their coefficient.
    const double mu = std::sqrt(body(a).mu * mu_b);
    const bool copied = b != Contact::fixed && b == shifted_;
    Contact contact{a,
                    b,
                    point,
                    contact_frame(normal, world_.dimension),
                    gap,
                    mu,
                    copied ? shift_ : Vector3(Vector3::Zero())};
    if (b == Contact::fixed) contact.fixture = plane_;
    if (is_fixture(b)) {
      contact.b = Contact::fixed;
      contact.fixture = static_cast<int>(world_.planes.size()) + b - moving_;
    }
    contacts_.push_back(contact);
  }

  void spheres(int a, int b) {
    const Vector3 between = position(a) - position(b);
    const double distance = between.norm();
    if (distance == 0)
      throw UnsupportedContact(fmt::format("bodies {} and {} have the same centre", b, a));
    const double radius_b = std::get<Sphere>(body(b).shape).radius;
    const double gap = distance - radius_b - std::get<Sphere>(body(a).shape).radius;
    const Vector3 normal = between / distance;
    add(a, b, normal, position(b) + (radius_b + gap / 2) * normal, gap, body(b).mu);
  }

  // The solid is a box or a wedge. The normal points to body `a`, which is one of the two.
  void sphere_and_solid(int sphere, int solid, int a) {
    const Matrix3 axes = body(solid).rotation.toRotationMatrix();
    const double radius = std::get<Sphere>(body(sphere).shape).radius;
    Vector3 centre = axes.transpose() * (position(sphere) - position(solid));
    if (world_.dimension == 2) centre.z() = 0;
    const Vector3 nearest = nearest_point(body(solid).shape, centre);
    const double distance = (centre - nearest).norm();
    if (distance == 0)
      throw UnsupportedContact(
          fmt::format("the centre of ball {} is inside body {}", sphere, solid));
    const double gap = distance - radius;
    const Vector3 outward = axes * (centre - nearest) / distance;
    const Vector3 point = position(solid) + axes * nearest + gap / 2 * outward;
    const int b = a == sphere ? solid : sphere;
    add(a, b, a == sphere ? outward : Vector3(-outward), point, gap, body(b).mu);
  }

  // One of the two is a capsule or a ring.
  void wires(int a, int b) {
    const double h = world_.time_step, pushed = h * (push(a) + push(b));
    const double close = reach(a, b) + h * (turning(a, b) + pushed);
    const double between = (position(a) - position(b)).norm();
    if (between > extent(body(a).shape) + extent(body(b).shape) + close) return;
    const int wire = is_wire(a) ? a : b, other = wire == a ? b : a;
    // In the axes of the other body; the normals point out of it.
    const Matrix3 axes = body(other).rotation.toRotationMatrix();
    const auto moved =
        wire_of(body(wire).shape, axes.transpose() * body(wire).rotation.toRotationMatrix(),
                axes.transpose() * (position(wire) - position(other)));
    std::optional<std::vector<FacingPoint>> points;
    if (const auto* box = std::get_if<Box>(&body(other).shape)) {
      points = facing_points(*moved, *box, close);
    } else if (const auto core_of_other =
                   wire_of(body(other).shape, Matrix3::Identity(), Vector3::Zero())) {
      points = facing_points(*moved, *core_of_other, close);
    } else {
      throw UnsupportedContact(fmt::format("bodies {} and {} are a wedge near a wire", b, a));
    }
    if (!points)
      throw UnsupportedContact(
          fmt::format("the core of wire {} is inside body {}, or meets its core", wire, other));
    const double side = other == b ? 1 : -1;
    for (const FacingPoint& facing : *points)
      add(a, b, side * axes * facing.normal, position(other) + axes * facing.point, facing.gap,
          body(b).mu);
  }

  // Surfaces further apart than this do not meet within the step.
  double reach(int a, int b) const {
    double speed = (body(a).velocity - body(b).velocity).norm();
    if (is_fixture(b)) speed = body(a).velocity.norm() + world_.time_step * world_.gravity.norm();
    return world_.contact_margin + world_.time_step * speed;
  }

  // Ends of turning bodies are faster than their centres by up to this, m/s.
  double turning(int a, int b) const {
    double speed = 0;
    for (const int k : {a, b}) speed += extent(body(k).shape) * body(k).angular_velocity.norm();
    return speed;
  }

  // Acceleration by the push alone, m/s^2.
  double push(int index) const {
    return is_fixture(index) ? 0 : body(index).force.norm() / body(index).mass;
  }

  bool near(int a, int b) const {
    const double between = (position(a) - position(b)).norm();
    return between <= extent(body(a).shape) + extent(body(b).shape) + reach(a, b);
  }

  void wedges(int a, int b) {
    const Matrix3 axes_b = body(b).rotation.toRotationMatrix();
    const auto points =
        facing_points(std::get<Wedge>(body(a).shape), std::get<Wedge>(body(b).shape),
                      axes_b.transpose() * body(a).rotation.toRotationMatrix(),
                      axes_b.transpose() * (position(a) - position(b)),
                      reach(a, b) + world_.time_step * turning(a, b));
    if (!points)
      throw UnsupportedContact(
          fmt::format("wedges {} and {} touch, but not with two sides that are parallel up to {} "
                      "rad",
                      b, a, max_box_angle));
    for (const FacingPoint& facing : *points)
      add(a, b, axes_b * facing.normal, position(b) + axes_b * facing.point, facing.gap,
          body(b).mu);
  }

  int points_along(int a, int b) const {
    return std::max(std::get<Box>(body(a).shape).points, std::get<Box>(body(b).shape).points);
  }

  // Where contacts are in the overlap of two faces, as steps along its edges.
  std::vector<std::pair<int, int>> overlap_points(int a, int b) const {
    const bool inside =
        std::get<Box>(body(a).shape).points_inside || std::get<Box>(body(b).shape).points_inside;
    const int last = points_along(a, b) - 1;
    std::vector<std::pair<int, int>> steps;
    for (int k2 = 0; k2 <= (world_.dimension == 2 ? 0 : last); ++k2)
      for (int k1 = 0; k1 <= last; ++k1)
        if (inside || world_.dimension == 2 || k1 == 0 || k1 == last || k2 == 0 || k2 == last)
          steps.emplace_back(k1, k2);
    return steps;
  }

  void boxes(int a, int b) {
    const Vector3& half_a = std::get<Box>(body(a).shape).half_extents;
    const Vector3& half_b = std::get<Box>(body(b).shape).half_extents;
    // Everything is in the frame of b, in which a is nearly axis-aligned.
    const Matrix3 axes_b = body(b).rotation.toRotationMatrix();
    const Matrix3 axes_a = axes_b.transpose() * body(a).rotation.toRotationMatrix();
    const Vector3 centre = axes_b.transpose() * (position(a) - position(b));
    const int directions = world_.dimension;
    const double angle = Eigen::AngleAxisd(axes_a).angle();
    if (angle > max_box_angle) {
      const Matrix3 extents = axes_a.cwiseAbs();
      const Vector3 along_b = centre.cwiseAbs() - extents * half_a - half_b;
      const Vector3 along_a =
          (axes_a.transpose() * centre).cwiseAbs() - half_a - extents.transpose() * half_b;
      const double apart = along_b.cwiseMax(along_a).head(directions).maxCoeff();
      if (apart > reach(a, b)) return;
      throw UnsupportedContact(
          fmt::format("boxes {} and {} are rotated against each other by {:.3g} rad; contacts "
                      "between boxes are supported up to {} rad",
                      b, a, angle, max_box_angle));
    }
    const Vector3 separation = centre.cwiseAbs() - half_a - half_b;
    int face = 0;
    for (int k = 1; k < directions; ++k)
      if (separation[k] > separation[face]) face = k;
    // A rotated box extends beyond an aligned one by at most edge length times angle.
    const double slack = max_box_angle * half_a.norm() + reach(a, b);
    if (separation[face] > slack) return;

    Vector3 low = (centre - half_a).cwiseMax(-half_b);
    Vector3 high = (centre + half_a).cwiseMin(half_b);
    for (int k = 0; k < directions; ++k)
      if (k != face && high[k] - low[k] < min_box_overlap) return;

    const double side = centre[face] < 0 ? -1 : 1;
    const Vector3 outward = side * Vector3::Unit(face);     // of the face of b
    const Vector3 facing = side * axes_a.col(face);         // against the face of a
    const Vector3 face_a = centre - half_a[face] * facing;  // its centre
    low[face] = high[face] = side * half_b[face];
    if (world_.dimension == 2) low.z() = high.z() = 0;

    const int t1 = (face + 1) % directions;
    const int t2 = world_.dimension == 2 ? 2 : (face + 2) % directions;
    for (const auto& [k1, k2] : overlap_points(a, b)) {
      const int count = points_along(a, b);
      Vector3 point = low;
      point[t1] = evenly(low[t1], high[t1], k1, count);
      if (world_.dimension == 3) point[t2] = evenly(low[t2], high[t2], k2, count);
      const double gap = facing.dot(face_a - point) / facing.dot(outward);
      point += gap / 2 * outward;
      add(a, b, axes_b * outward, position(b) + axes_b * point, gap, body(b).mu);
    }
  }

  const World& world_;
  int moving_;     // number of bodies
  int plane_ = 0;  // the one at hand
  std::vector<Contact> contacts_;
  int shifted_ = Contact::fixed;     // body b, if it is a copy that is touched
  Vector3 shift_ = Vector3::Zero();  // to this copy
};

}  // namespace

Matrix3 contact_frame(const Vector3& normal, int dimension) {
  Matrix3 frame;
  frame.col(0) = normal;
  if (dimension == 2) {
    frame.col(1) = Vector3(-normal.y(), normal.x(), 0);
    frame.col(2) = Vector3::UnitZ();
    return frame;
  }
  const Vector3 axis = std::abs(normal.x()) < std::sqrt(0.5) ? Vector3::UnitX() : Vector3::UnitY();
  frame.col(1) = (axis - normal.dot(axis) * normal).normalized();
  frame.col(2) = normal.cross(frame.col(1));
  return frame;
}

std::vector<Contact> detect_contacts(const World& world) {
  Detector detector(world);
  const auto neighbours = neighbours_before(world);
  for (int a = 0; a < static_cast<int>(world.bodies.size()); ++a) {
    for (int k = 0; k < static_cast<int>(world.planes.size()); ++k) detector.body_and_plane(a, k);
    for (int k = 0; k < static_cast<int>(world.fixtures.size()); ++k)
      detector.body_and_fixture(a, k);
    for (const int b : neighbours[static_cast<std::size_t>(a)]) detector.bodies(a, b);
  }
  return world.reduction > 0 ? reduced(detector.take(), world.reduction) : detector.take();
}

}  // namespace frictionbench::scenes
