/// \file
/// A model in MuJoCo's format, as arguments of a command.
#pragma once

#include "command_line.hpp"
#include "frictionbench/mujoco/model.hpp"

namespace frictionbench::app {

/// Adds MODEL, --dt, --keyframe and --control.
void add_model_options(Command& command, mujoco::ModelSettings& settings);

}  // namespace frictionbench::app
