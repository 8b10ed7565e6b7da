/// \file
/// Contacts between the side faces of two wedges, as in the joints of an arch.
#pragma once

#include <optional>
#include <vector>

#include "frictionbench/scenes/internal/shapes.hpp"

namespace frictionbench::scenes {

/// The points between the sides of two wedges that face each other, in the axes of b: the corners of
/// the overlap of the two faces, with the gap up to the face of a. None if the wedges are further
/// apart than `reach` (m), or their faces do not overlap.
/// \param axes_a and centre_a: where a is, in the axes of b.
/// \returns nothing if the wedges are near and no sides face each other within max_box_angle.
std::optional<std::vector<FacingPoint>> facing_points(const Wedge& a, const Wedge& b,
                                                      const Matrix3& axes_a,
                                                      const Vector3& centre_a, double reach);

}  // namespace frictionbench::scenes
