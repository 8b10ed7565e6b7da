/// \file
/// Geometry of one body's shape, in the body's own axes.
#pragma once

#include <vector>

#include "frictionbench/scenes/world.hpp"

namespace frictionbench::scenes {

/// Radius of the ball around the centre of mass that holds the shape, m.
double extent(const Shape& shape);

/// Corners of a box (4 in 2D) or a wedge; a ball has none.
std::vector<Vector3> corners(const Shape& shape, int dimension);

/// The point of a box or wedge nearest to `point`, which is `point` itself inside.
Vector3 nearest_point(const Shape& shape, const Vector3& point);

}  // namespace frictionbench::scenes
