#include "frictionbench/scenes/internal/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "frictionbench/math/portable_numbers.hpp"

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

// Of a box in which every edge has the same number of points; x runs fastest.
std::vector<Vector3> surface_points(const Box& box, int dimension) {
  const int count = box.points;
  const Vector3& half = box.half_extents;
  const auto at_end = [count](int k) { return k == 0 || k == count - 1; };
  std::vector<Vector3> all;
  for (int k = 0; k < (dimension == 2 ? 1 : count); ++k)
    for (int j = 0; j < count; ++j)
      for (int i = 0; i < count; ++i) {
        const int ends = at_end(i) + at_end(j) + (dimension == 2 ? 1 : at_end(k));
        if (ends < (box.points_inside && dimension == 3 ? 1 : 2)) continue;
        all.emplace_back(evenly(-half.x(), half.x(), i, count),
                         evenly(-half.y(), half.y(), j, count),
                         dimension == 2 ? 0 : evenly(-half.z(), half.z(), k, count));
      }
  return all;
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
  if (const auto* wedge = std::get_if<Wedge>(&shape))
    return std::max(corner_of(*wedge, 0).norm(), corner_of(*wedge, 7).norm());
  double farthest = 0;
  for (const Vector3& corner : core(shape)) farthest = std::max(farthest, corner.norm());
  return farthest + round_radius(shape);
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

std::vector<Vector3> touching_points(const Shape& shape, int dimension) {
  if (const auto* box = std::get_if<Box>(&shape)) return surface_points(*box, dimension);
  return corners(shape, dimension);
}

// Corners of a ring are at odd multiples of pi / sides; those of one quadrant and their mirror images.
std::vector<Vector3> core(const Shape& shape) {
  if (std::holds_alternative<Sphere>(shape)) return {Vector3::Zero()};
  if (const auto* capsule = std::get_if<Capsule>(&shape))
    return {-capsule->half_length * Vector3::UnitX(), capsule->half_length * Vector3::UnitX()};
  const auto* ring = std::get_if<Ring>(&shape);
  if (!ring) return {};
  const int quarter = ring->sides / 4;
  const double half_side = std::numbers::pi / ring->sides;
  const double to_corner = ring->radius / cosine_and_sine(half_side).first;
  std::vector<Vector3> all(static_cast<std::size_t>(ring->sides));
  for (int k = 0; k < quarter; ++k) {
    const auto [cosine, sine] = cosine_and_sine((2 * k + 1) * half_side);
    const double x = to_corner * cosine + ring->stretch / 2, y = to_corner * sine;
    const auto put = [&all](int at, double px, double py) {
      all[static_cast<std::size_t>(at)] = {px, py, 0};
    };
    put(k, x, y);
    put(2 * quarter - 1 - k, -x, y);
    put(2 * quarter + k, -x, -y);
    put(4 * quarter - 1 - k, x, -y);
  }
  return all;
}

double round_radius(const Shape& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return sphere->radius;
  if (const auto* capsule = std::get_if<Capsule>(&shape)) return capsule->radius;
  if (const auto* ring = std::get_if<Ring>(&shape)) return ring->wire;
  return 0;
}

double evenly(double low, double high, int k, int count) {
  return k == count - 1 ? high : low + (high - low) * k / (count - 1);
}

Vector3 nearest_point(const Shape& shape, const Vector3& point) {
  if (const auto* box = std::get_if<Box>(&shape))
    return point.cwiseMax(-box->half_extents).cwiseMin(box->half_extents);
  return nearest_point_of_wedge(std::get<Wedge>(shape), point);
}

}  // namespace frictionbench::scenes
