/// \file
/// Which bodies may touch each other.
#pragma once

#include <vector>

#include "frictionbench/scenes/world.hpp"

namespace frictionbench::scenes {

/// The multiple of the period nearest to `distance` along each axis; 0 along others.
Vector3 whole_periods(const World& world, const Vector3& distance);

/// The bodies before each body that may touch it within the step, in order.
/// \throws UnsupportedContact for a body that is too large for a period.
std::vector<std::vector<int>> neighbours_before(const World& world);

}  // namespace frictionbench::scenes
