/// \file
/// What scenes of chain links have in common.
#pragma once

#include "frictionbench/scenes/internal/structures.hpp"

namespace frictionbench::scenes {

/// The links that a user asked for.
/// \throws std::invalid_argument if wires that lie across each other have no room in it, or the number
///         of sides is not a multiple of 4.
Ring link_shape(const LinkParameters& parameters);

/// A round one of the same wire, with this radius (m). \throws std::invalid_argument as link_shape().
Ring ring_shape(const LinkParameters& parameters, double radius);

/// A body of that shape, at a small random offset from `position`.
Body make_link(const LinkParameters& parameters, const Ring& shape, const Vector3& position,
               Random& random);

/// \throws std::invalid_argument if wires of the scene overlap by more than a quarter of their radius, as
///         links do that are turned too far against each other.
void check_room(const World& world, const LinkParameters& parameters);

/// A quarter turn about the long axis of a link, x.
Eigen::Quaterniond quarter_roll();

}  // namespace frictionbench::scenes
