#include "frictionbench/scenes/internal/shapes.hpp"

#include <algorithm>
#include <cmath>

namespace frictionbench::scenes {

namespace {

using Vector2 = Eigen::Vector2d;

// Signs of corner 0..7 along the axes.
Vector3 signs(int corner) {
  return {(corner & 1) ? 1.0 : -1.0, (corner & 2) ? 1.0 : -1.0, (corner & 4) ? 1.0 : -1.0};
}

Vector3 corner_of(const Wedge& wedge, int corner) {
  const Vector3 sign = signs(corner);
  const bool up = sign.z() > 0;
  return {sign.x() * (up ? wedge.upper : wedge.lower), sign.y() * wedge.half_width,
          up ? wedge.above() : -wedge.below()};
}

Vector2 nearest_on_segment(const Vector2& from, const Vector2& to, const Vector2& point) {
  const Vector2 edge = to - from;
  const double share = edge.dot(point - from) / edge.squaredNorm();
  return from + std::clamp(share, 0.0, 1.0) * edge;
}

// In the x-z plane, whose half x < 0 mirrors the other.
Vector3 nearest_point_of_wedge(const Wedge& wedge, const Vector3& point) {
  const double y = std::clamp(point.y(), -wedge.half_width, wedge.half_width);
  const Vector2 in_plane(std::abs(point.x()), point.z());
  const Vector2 low(wedge.lower, -wedge.below()), high(wedge.upper, wedge.above());
  const Vector2 side = high - low, from_low = in_plane - low;
  const bool within_side = side.x() * from_low.y() - side.y() * from_low.x() >= 0;
  if (within_side && in_plane.y() >= low.y() && in_plane.y() <= high.y())
    return {point.x(), y, point.z()};

  Vector2 nearest = nearest_on_segment(low, high, in_plane);
  for (const Vector2& end : {low, high}) {
    const Vector2 on_edge(std::min(in_plane.x(), end.x()), end.y());
    if ((on_edge - in_plane).squaredNorm() < (nearest - in_plane).squaredNorm()) nearest = on_edge;
  }
  return {std::copysign(nearest.x(), point.x()), y, nearest.y()};
}

}  // namespace

double extent(const Shape& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return sphere->radius;
  if (const auto* box = std::get_if<Box>(&shape)) return box->half_extents.norm();
  const Wedge& wedge = std::get<Wedge>(shape);
  return std::max(corner_of(wedge, 0).norm(), corner_of(wedge, 7).norm());
}

std::vector<Vector3> corners(const Shape& shape, int dimension) {
  std::vector<Vector3> all;
  if (const auto* box = std::get_if<Box>(&shape)) {
    for (int corner = 0; corner < (dimension == 2 ? 4 : 8); ++corner) {
      all.push_back(signs(corner).cwiseProduct(box->half_extents));
      if (dimension == 2) all.back().z() = 0;
    }
  } else if (const auto* wedge = std::get_if<Wedge>(&shape)) {
    for (int corner = 0; corner < 8; ++corner) all.push_back(corner_of(*wedge, corner));
  }
  return all;
}

Vector3 nearest_point(const Shape& shape, const Vector3& point) {
  if (const auto* box = std::get_if<Box>(&shape))
    return point.cwiseMax(-box->half_extents).cwiseMin(box->half_extents);
  return nearest_point_of_wedge(std::get<Wedge>(shape), point);
}

}  // namespace frictionbench::scenes
