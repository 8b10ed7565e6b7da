/// \file
/// Geometry of one body's shape, in the body's own axes.
#pragma once

#include <vector>

#include "frictionbench/scenes/world.hpp"

namespace frictionbench::scenes {

/// Radius of the ball around the centre of mass that holds the shape, m.
double extent(const Shape& shape);

/// Corners of a box (4 in 2D) or a wedge; other shapes have none.
std::vector<Vector3> corners(const Shape& shape, int dimension);

/// The points of a box or a wedge that touch planes: corners, and those along the edges and on the faces
/// of a box that has them. Other shapes have none.
std::vector<Vector3> touching_points(const Shape& shape, int dimension);

/// The core of a shape that is round about one: the centre of a ball, the ends of a capsule, the corners
/// of a ring, in order around it. Others have none.
std::vector<Vector3> core(const Shape& shape);

/// Distance of the surface from the core, m; 0 for shapes without.
double round_radius(const Shape& shape);

/// The value at point k of `count`, evenly spaced from `low` to `high`, exact at both ends.
double evenly(double low, double high, int k, int count);

/// A point between two surfaces that face each other.
struct FacingPoint {
  Vector3 point;   ///< half way between the surfaces
  Vector3 normal;  ///< unit vector, out of the second body
  double gap = 0;  ///< along the normal, m
};

/// The point of a box or wedge nearest to `point`, which is `point` itself inside.
Vector3 nearest_point(const Shape& shape, const Vector3& point);

}  // namespace frictionbench::scenes
