#include "frictionbench/simulation/frame.hpp"

#include <algorithm>
#include <cmath>

namespace frictionbench::simulation {

namespace {

double farthest(const std::vector<Vector3>& points) {
  double distance = 0;
  for (const Vector3& point : points) distance = std::max(distance, point.norm());
  return distance;
}

}  // namespace

Polyhedron box(const Vector3& half_edges, const Vector3& center) {
  Polyhedron made;
  for (int corner = 0; corner < 8; ++corner) {
    const Vector3 side((corner & 1) ? 1 : -1, (corner & 2) ? 1 : -1, (corner & 4) ? 1 : -1);
    made.corners.emplace_back(center + side.cwiseProduct(half_edges));
  }
  made.faces = {{0, 2, 6, 4}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 5, 7, 6}};
  return made;
}

double extent(const Shape& shape) {
  if (const auto* ball = std::get_if<Ball>(&shape)) return ball->radius;
  if (const auto* solid = std::get_if<Polyhedron>(&shape)) return farthest(solid->corners);
  if (const auto* tube = std::get_if<Tube>(&shape)) return farthest(tube->core) + tube->radius;
  if (const auto* cylinder = std::get_if<Cylinder>(&shape))
    return std::hypot(cylinder->radius, cylinder->half_length);
  return std::get<Ellipsoid>(shape).radii.maxCoeff();
}

}  // namespace frictionbench::simulation
