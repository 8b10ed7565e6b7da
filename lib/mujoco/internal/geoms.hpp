/// \file
/// What a model looks like.
#pragma once

#include <mujoco/mujoco.h>

#include "frictionbench/simulation/frame.hpp"

namespace frictionbench::mujoco {

/// The number of a body in frames and documents, which leave out the world.
inline int number_of(int body) { return body - 1; }

/// Bodies, solids and planes of a model, at the positions that MuJoCo has computed.
simulation::Frame frame_of(const mjModel& model, const mjData& data);

}  // namespace frictionbench::mujoco
