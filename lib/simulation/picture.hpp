/// \file
/// Pictures and animations of what moves, as SVG: bodies, the ground, and the impulses at contacts.
#pragma once

#include <string>
#include <vector>

#include "frictionbench/simulation/frame.hpp"

namespace frictionbench::simulation {

/// A picture of one frame, 800 pixels wide: bodies from a fixed side, filled in colours that the colour-blind
/// can tell apart, nearer ones in front of others; planes that are nearly level as ground under all, and others
/// that face the viewer as walls behind all; impulses as lines from their contacts, the longest a seventh of the
/// picture.
std::string svg_picture(const Frame& frame);

/// The frames one after the other in one picture that plays them again and again, without a script.
/// \param duration of one round, s, > 0. \pre frames is not empty.
std::string svg_animation(const std::vector<Frame>& frames, double duration);

}  // namespace frictionbench::simulation
