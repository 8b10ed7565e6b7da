/// \file
/// What scenes of boxes, wedges and grains have in common.
#pragma once

#include "frictionbench/math/portable_numbers.hpp"
#include "frictionbench/scenes/internal/families.hpp"

namespace frictionbench::scenes {

/// Level ground at z = 0 (y = 0 in 2D), without bodies.
World ground(const CommonParameters& parameters, int dimension);

/// A body's friction coefficient.
double surface(const CommonParameters& parameters, Random& random);

/// Adds a ball, if it has a mass, that moves in `direction` and touches `target` at the face it is
/// about to hit, at distance `half` (m) from the target's centre of mass.
void throw_ball(World& world, const BallParameters& ball, std::size_t target,
                const Vector3& direction, double half, double mu);

}  // namespace frictionbench::scenes
