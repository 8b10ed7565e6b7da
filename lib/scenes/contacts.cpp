#include "frictionbench/scenes/contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace frictionbench::scenes {

namespace {

// Collects the contacts of one pair of bodies, or of a body and a plane.
class Detector {
 public:
  explicit Detector(const World& world) : world_(world) {}

  void body_and_plane(int a, const Plane& plane) {
    const Body& body = this->body(a);
    if (const auto* sphere = std::get_if<Sphere>(&body.shape)) {
      const double gap = plane.normal.dot(body.position) - plane.offset - sphere->radius;
      const Vector3 lowest = body.position - (sphere->radius + gap / 2) * plane.normal;
      add(a, Contact::fixed, plane.normal, lowest, gap, plane.mu);
      return;
    }
    const Vector3& half = std::get<Box>(body.shape).half_extents;
    const Matrix3 axes = body.rotation.toRotationMatrix();
    for (int corner = 0; corner < (world_.dimension == 2 ? 4 : 8); ++corner) {
      const Vector3 local((corner & 1) ? half.x() : -half.x(), (corner & 2) ? half.y() : -half.y(),
                          world_.dimension == 2 ? 0 : ((corner & 4) ? half.z() : -half.z()));
      const Vector3 point = body.position + axes * local;
      const double gap = plane.normal.dot(point) - plane.offset;
      add(a, Contact::fixed, plane.normal, point - gap / 2 * plane.normal, gap, plane.mu);
    }
  }

  void bodies(int a, int b) {
    const bool sphere_a = std::holds_alternative<Sphere>(body(a).shape);
    const bool sphere_b = std::holds_alternative<Sphere>(body(b).shape);
    if (sphere_a && sphere_b) {
      spheres(a, b);
    } else if (sphere_a) {
      sphere_and_box(a, b, a);
    } else if (sphere_b) {
      sphere_and_box(b, a, a);
    } else {
      boxes(a, b);
    }
  }

  std::vector<Contact> take() { return std::move(contacts_); }

 private:
  const Body& body(int index) const { return world_.bodies[static_cast<std::size_t>(index)]; }

  Vector3 free_velocity(int index, const Vector3& point) const {
    if (index == Contact::fixed) return Vector3::Zero();
    const Body& body = this->body(index);
    return body.velocity + world_.time_step * world_.gravity +
           body.angular_velocity.cross(point - body.position);
  }

  void add(int a, int b, const Vector3& normal, const Vector3& point, double gap, double mu_b) {
    const double opening = normal.dot(free_velocity(a, point) - free_velocity(b, point));
    if (gap + world_.time_step * std::min(opening, 0.0) > world_.contact_margin) return;
    if (std::abs(gap) < gap_round_off) gap = 0;
    // The square root of a square is exact, so equal surfaces keep exactly their coefficient.
    const double mu = std::sqrt(body(a).mu * mu_b);
    contacts_.push_back({a, b, point, contact_frame(normal, world_.dimension), gap, mu});
  }

  void spheres(int a, int b) {
    const Vector3 between = body(a).position - body(b).position;
    const double distance = between.norm();
    if (distance == 0)
      throw UnsupportedContact(fmt::format("bodies {} and {} have the same centre", b, a));
    const double radius_b = std::get<Sphere>(body(b).shape).radius;
    const double gap = distance - radius_b - std::get<Sphere>(body(a).shape).radius;
    const Vector3 normal = between / distance;
    add(a, b, normal, body(b).position + (radius_b + gap / 2) * normal, gap, body(b).mu);
  }

  // The normal points to body `a`, which is one of the two.
  void sphere_and_box(int sphere, int box, int a) {
    const Matrix3 axes = body(box).rotation.toRotationMatrix();
    const Vector3& half = std::get<Box>(body(box).shape).half_extents;
    const double radius = std::get<Sphere>(body(sphere).shape).radius;
    Vector3 centre = axes.transpose() * (body(sphere).position - body(box).position);
    if (world_.dimension == 2) centre.z() = 0;
    const Vector3 nearest = centre.cwiseMax(-half).cwiseMin(half);
    const double distance = (centre - nearest).norm();
    if (distance == 0)
      throw UnsupportedContact(fmt::format("the centre of ball {} is inside box {}", sphere, box));
    const double gap = distance - radius;
    const Vector3 outward = axes * (centre - nearest) / distance;
    const Vector3 point = body(box).position + axes * nearest + gap / 2 * outward;
    const int b = a == sphere ? box : sphere;
    add(a, b, a == sphere ? outward : Vector3(-outward), point, gap, body(b).mu);
  }

  void boxes(int a, int b) {
    const Vector3& half_a = std::get<Box>(body(a).shape).half_extents;
    const Vector3& half_b = std::get<Box>(body(b).shape).half_extents;
    const double speed = (body(a).velocity - body(b).velocity).norm();
    const double reach = world_.contact_margin + world_.time_step * speed;
    const double between = (body(a).position - body(b).position).norm();
    if (between > half_a.norm() + half_b.norm() + reach) return;

    // Everything is in the frame of b, in which a is nearly axis-aligned.
    const Matrix3 axes_b = body(b).rotation.toRotationMatrix();
    const Matrix3 axes_a = axes_b.transpose() * body(a).rotation.toRotationMatrix();
    const Vector3 centre = axes_b.transpose() * (body(a).position - body(b).position);
    const int directions = world_.dimension;
    const Vector3 separation = centre.cwiseAbs() - half_a - half_b;
    int face = 0;
    for (int k = 1; k < directions; ++k)
      if (separation[k] > separation[face]) face = k;
    // A rotated box extends beyond an aligned one by at most edge length times angle.
    const double slack = max_box_angle * half_a.norm() + reach;
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
      add(a, b, axes_b * outward, body(b).position + axes_b * point, gap, body(b).mu);
    }
  }

  const World& world_;
  std::vector<Contact> contacts_;
};

// A box with edges along the world's axes.
struct Bounds {
  Vector3 low, high;
};

// Bounds of all points that a body can touch within the step; generous, because what is found here
// is looked at again.
Bounds bounds(const World& world, const Body& body) {
  const auto* sphere = std::get_if<Sphere>(&body.shape);
  const double extent = sphere ? sphere->radius : std::get<Box>(body.shape).half_extents.norm();
  const double speed = body.velocity.norm() + extent * body.angular_velocity.norm() +
                       world.time_step * world.gravity.norm();
  const double reach = extent + world.contact_margin + 2 * world.time_step * speed;
  return {body.position.array() - reach, body.position.array() + reach};
}

// The bodies before each body that may touch it, in order: of those that overlap in x (sweep and
// prune), those that overlap in y and z, too.
std::vector<std::vector<int>> neighbours_before(const World& world) {
  std::vector<Bounds> all;
  for (const Body& body : world.bodies) all.push_back(bounds(world, body));
  const auto of = [&](int body) -> const Bounds& { return all[static_cast<std::size_t>(body)]; };

  std::vector<int> from_left(all.size()), open;
  std::iota(from_left.begin(), from_left.end(), 0);
  std::sort(from_left.begin(), from_left.end(),
            [&](int a, int b) { return of(a).low.x() < of(b).low.x(); });
  std::vector<std::vector<int>> found(all.size());
  for (const int a : from_left) {
    std::erase_if(open, [&](int b) { return of(b).high.x() < of(a).low.x(); });
    for (const int b : open)
      if ((of(a).low.array() <= of(b).high.array()).all() &&
          (of(b).low.array() <= of(a).high.array()).all())
        found[static_cast<std::size_t>(std::max(a, b))].push_back(std::min(a, b));
    open.push_back(a);
  }
  for (std::vector<int>& before : found) std::sort(before.begin(), before.end());
  return found;
}

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
