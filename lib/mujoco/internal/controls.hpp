/// \file
/// What the actuators of a model are told.
#pragma once

#include <mujoco/mujoco.h>

#include <functional>
#include <string>

namespace frictionbench::mujoco {

/// Sets mjData::ctrl for the step that begins at mjData::time. To be called before every step.
using Controls = std::function<void(const mjModel&, mjData&)>;

/// \param text as Simulation::control has it.
/// \throws FileError naming the file and the line; std::invalid_argument for a seed that is not a number.
Controls controls_named(const std::string& text, const mjModel& model);

}  // namespace frictionbench::mujoco
