#include "frictionbench/simulation/internal/camera.hpp"

#include <algorithm>
#include <cmath>

namespace frictionbench::simulation {

Camera::Camera(std::span<const Frame> frames) {
  const bool plane_world = frames.front().dimension == 2;
  towards_ = plane_world ? Vector3(0, 0, 1) : Vector3(0.45, -1, 0.42).normalized();
  const Vector3 up = plane_world ? Vector3::UnitY() : Vector3::UnitZ();
  right_ = up.cross(towards_).normalized();
  up_ = towards_.cross(right_);
  for (const Frame& frame : frames) see(frame);
  for (const Plane& plane : frames.front().planes) {
    if (plane_world) continue;
    if (is_ground(plane))
      for (const Vector3& corner : ground(plane)) see(corner, 0);
    else if (is_wall(plane))
      for (const Vector3& corner : wall(plane)) see(corner, 0);
  }
  if (low_.x() > high_.x()) low_ = Vector2(-1, -1), high_ = Vector2(1, 1);
  const Vector2 size = (high_ - low_).cwiseMax(1e-9);
  constexpr double room = picture_width - 2 * picture_margin;
  scale_ = std::min(room / size.x(), room / size.y());
  height_ = size.y() * scale_ + 2 * picture_margin;
  left_ = (picture_width - size.x() * scale_) / 2;
}

Vector2 Camera::operator()(const Vector3& point) const {
  const Vector2 flat = projected(point);
  return {left_ + (flat.x() - low_.x()) * scale_,
          height_ - picture_margin - (flat.y() - low_.y()) * scale_};
}

double Camera::light(const Vector3& normal) const {
  const Vector3 lamp = (towards_ + up_ - 0.5 * right_).normalized();
  return std::clamp(0.5 + 0.5 * normal.dot(lamp), 0.0, 1.0);
}

std::array<Vector3, 4> Camera::ground(const Plane& plane) const {
  const Vector3 center = (box_low_ + box_high_) / 2;
  const Vector3 half = (box_high_ - box_low_) / 2;
  std::array<Vector3, 4> corners;
  for (int k = 0; k < 4; ++k) {
    Vector3 corner = center;
    corner.x() += (k == 0 || k == 3 ? -1.0 : 1.0) * half.x();
    corner.y() += (k < 2 ? -1.0 : 1.0) * half.y();
    corner.z() += (plane.offset - plane.normal.dot(corner)) / plane.normal.z();
    corners[static_cast<std::size_t>(k)] = corner;
  }
  return corners;
}

std::vector<Vector3> Camera::wall(const Plane& plane) const {
  if (!(box_low_.x() <= box_high_.x())) return {};
  // Where the plane meets the twelve edges of the box.
  std::vector<Vector3> points;
  for (int along = 0; along < 3; ++along)
    for (int side = 0; side < 4; ++side) {
      Vector3 from = box_low_;
      if (side & 1) from[(along + 1) % 3] = box_high_[(along + 1) % 3];
      if (side & 2) from[(along + 2) % 3] = box_high_[(along + 2) % 3];
      const double length = box_high_[along] - box_low_[along];
      const double share = (plane.offset - plane.normal.dot(from)) / (plane.normal[along] * length);
      if (share >= 0 && share <= 1)
        points.emplace_back(from + share * length * Vector3::Unit(along));
    }
  if (points.size() < 3) return {};
  // In order around their mean.
  Vector3 mean = Vector3::Zero();
  for (const Vector3& point : points) mean += point / static_cast<double>(points.size());
  const Vector3 first = plane.normal.unitOrthogonal(), second = plane.normal.cross(first);
  std::sort(points.begin(), points.end(), [&](const Vector3& a, const Vector3& b) {
    const auto angle = [&](const Vector3& point) {
      return std::atan2(second.dot(point - mean), first.dot(point - mean));
    };
    return angle(a) < angle(b);
  });
  return points;
}

void Camera::see(const Vector3& point, double reach) {
  const Vector2 flat = projected(point);
  low_ = low_.cwiseMin(flat - Vector2::Constant(reach));
  high_ = high_.cwiseMax(flat + Vector2::Constant(reach));
}

void Camera::see(const Frame& frame) {
  for (const Solid& solid : frame.solids) {
    const Vector3& center = solid.pose.position;
    const double reach = extent(solid.shape);
    see(center, reach);
    box_low_ = box_low_.cwiseMin(center - Vector3::Constant(reach));
    box_high_ = box_high_.cwiseMax(center + Vector3::Constant(reach));
  }
  for (const ContactImpulse& contact : frame.impulses)
    strongest_ = std::max(strongest_, contact.impulse.norm());
}

}  // namespace frictionbench::simulation
