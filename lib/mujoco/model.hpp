/// \file
/// A model in MuJoCo's format, and how it is driven.
#pragma once

#include <optional>
#include <string>

namespace frictionbench::mujoco {

/// Which model, where it starts, and what drives it.
struct ModelSettings {
  std::string model;                ///< MJCF file, or a compiled model, .mjb
  std::optional<double> time_step;  ///< h, s; the model's own if absent
  std::string keyframe;  ///< to start from, name or number; empty: the model's reference pose
  /// What actuators are told: `zero`; `random:SEED`, a new value in the control range of each (±1 where
  /// it has none) every 50 ms; or the path of a text file, a line per time in increasing order: the time
  /// in seconds, then a number for each actuator, between lines interpolated, `#` begins a comment.
  std::string control = "zero";
};

/// MuJoCo's version, "2.2.2"; empty if the library was built without it.
std::string version();

}  // namespace frictionbench::mujoco
