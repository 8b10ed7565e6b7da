#include "frictionbench/scenes/contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "frictionbench/scenes/internal/neighbours.hpp"
#include "frictionbench/scenes/internal/shapes.hpp"
#include "frictionbench/scenes/internal/wedges.hpp"

namespace frictionbench::scenes {

namespace {

// Collects the contacts of one pair of bodies, or of a body and a plane.
class Detector {
 public:
  explicit Detector(const World& world) : world_(world) {}

  void body_and_plane(int a, const Plane& plane) {
    shifted_ = Contact::fixed;
    const Body& body = this->body(a);
    if (const auto* sphere = std::get_if<Sphere>(&body.shape)) {
      const double gap = plane.normal.dot(body.position) - plane.offset - sphere->radius;
      const Vector3 lowest = body.position - (sphere->radius + gap / 2) * plane.normal;
      add(a, Contact::fixed, plane.normal, lowest, gap, plane.mu);
      return;
    }
    const Matrix3 axes = body.rotation.toRotationMatrix();
    for (const Vector3& local : corners(body.shape, world_.dimension)) {
      const Vector3 point = body.position + axes * local;
      const double gap = plane.normal.dot(point) - plane.offset;
      add(a, Contact::fixed, plane.normal, point - gap / 2 * plane.normal, gap, plane.mu);
    }
  }

  void bodies(int a, int b) {
    choose_copy(a, b);
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
  const Body& body(int index) const { return world_.bodies[static_cast<std::size_t>(index)]; }

  // Of the copy that the pair at hand is about.
  Vector3 position(int index) const {
    return index == shifted_ ? Vector3(body(index).position + shift_) : body(index).position;
  }

  // Looks at the copy of b that is nearest to a.
  void choose_copy(int a, int b) {
    shifted_ = Contact::fixed;
    if (world_.period.isZero(0)) return;
    shift_ = whole_periods(world_, body(a).position - body(b).position);
    if (!shift_.isZero(0)) shifted_ = b;
  }

  Vector3 free_velocity(int index, const Vector3& point) const {
    if (index == Contact::fixed) return Vector3::Zero();
    const Body& body = this->body(index);
    return body.velocity + world_.time_step * world_.gravity +
           body.angular_velocity.cross(point - position(index));
  }

  void add(int a, int b, const Vector3& normal, const Vector3& point, double gap, double mu_b) {
    const double opening = normal.dot(free_velocity(a, point) - free_velocity(b, point));
    if (gap + world_.time_step * std::min(opening, 0.0) > world_.contact_margin) return;
    if (std::abs(gap) < gap_round_off) gap = 0;
    // The square root of a square is exact, so equal surfaces keep exactly their coefficient.
    const double mu = std::sqrt(body(a).mu * mu_b);
    const bool copied = b != Contact::fixed && b == shifted_;
    contacts_.push_back({a, b, point, contact_frame(normal, world_.dimension), gap, mu,
                         copied ? shift_ : Vector3(Vector3::Zero())});
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

  // Surfaces further apart than this do not meet within the step.
  double reach(int a, int b) const {
    const double speed = (body(a).velocity - body(b).velocity).norm();
    return world_.contact_margin + world_.time_step * speed;
  }

  bool near(int a, int b) const {
    const double between = (position(a) - position(b)).norm();
    return between <= extent(body(a).shape) + extent(body(b).shape) + reach(a, b);
  }

  void wedges(int a, int b) {
    // Corners of a turning wedge are faster than its centre.
    double turning = 0;
    for (const int k : {a, b}) turning += extent(body(k).shape) * body(k).angular_velocity.norm();
    const Matrix3 axes_b = body(b).rotation.toRotationMatrix();
    const auto points = facing_points(
        std::get<Wedge>(body(a).shape), std::get<Wedge>(body(b).shape),
        axes_b.transpose() * body(a).rotation.toRotationMatrix(),
        axes_b.transpose() * (position(a) - position(b)), reach(a, b) + world_.time_step * turning);
    if (!points)
      throw UnsupportedContact(
          fmt::format("wedges {} and {} touch, but not with two sides that are parallel up to {} "
                      "rad",
                      b, a, max_box_angle));
    for (const FacingPoint& facing : *points)
      add(a, b, axes_b * facing.normal, position(b) + axes_b * facing.point, facing.gap,
          body(b).mu);
  }

  void boxes(int a, int b) {
    const Vector3& half_a = std::get<Box>(body(a).shape).half_extents;
    const Vector3& half_b = std::get<Box>(body(b).shape).half_extents;
    // Everything is in the frame of b, in which a is nearly axis-aligned.
    const Matrix3 axes_b = body(b).rotation.toRotationMatrix();
    const Matrix3 axes_a = axes_b.transpose() * body(a).rotation.toRotationMatrix();
    const Vector3 centre = axes_b.transpose() * (position(a) - position(b));
    const int directions = world_.dimension;
    const Vector3 separation = centre.cwiseAbs() - half_a - half_b;
    int face = 0;
    for (int k = 1; k < directions; ++k)
      if (separation[k] > separation[face]) face = k;
    // A rotated box extends beyond an aligned one by at most edge length times angle.
    const double slack = max_box_angle * half_a.norm() + reach(a, b);
    if (separation[face] > slack) return;

    const double angle = Eigen::AngleAxisd(axes_a).angle();
    if (angle > max_box_angle)
      throw UnsupportedContact(
          fmt::format("boxes {} and {} are rotated against each other by {:.3g} rad; contacts "
                      "between boxes are supported up to {} rad",
                      b, a, angle, max_box_angle));

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
    for (int corner = 0; corner < (world_.dimension == 2 ? 2 : 4); ++corner) {
      Vector3 point = low;
      if (corner & 1) point[t1] = high[t1];
      if (corner & 2) point[t2] = high[t2];
      const double gap = facing.dot(face_a - point) / facing.dot(outward);
      point += gap / 2 * outward;
      add(a, b, axes_b * outward, position(b) + axes_b * point, gap, body(b).mu);
    }
  }

  const World& world_;
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
    for (const Plane& plane : world.planes) detector.body_and_plane(a, plane);
    for (const int b : neighbours[static_cast<std::size_t>(a)]) detector.bodies(a, b);
  }
  return detector.take();
}

}  // namespace frictionbench::scenes
