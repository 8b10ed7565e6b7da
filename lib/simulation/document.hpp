/// \file
/// What is kept of a simulation.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "frictionbench/simulation/simulation.hpp"

namespace frictionbench::simulation {

/// A simulation with all of its steps.
struct SimulationDocument {
  std::vector<std::string> command;   ///< that made it
  std::string kind;                   ///< of what moves, "scene" or "model"
  nlohmann::json about;               ///< an object: how to have it again
  ConfiguredSolver solver;            ///< whose impulses moved it
  SimulationSettings settings;        ///< of the steps
  nlohmann::json own_settings;        ///< an object: those of this kind alone
  std::vector<SimulationStep> steps;  ///< in order
  std::vector<Frame> frames;          ///< of the trajectory: all steps, or evenly spread ones
};

/// An object with `schema` "frictionbench-simulation", `schema_version` 1, the versions that results documents
/// name, `scene` or `model`, solver and settings, `steps`, and `trajectory`: for each frame the time, and for
/// each body the position (m) and the rotation as a quaternion (w, x, y, z), and for each contact of the step
/// that led there its bodies, -1 for what does not move, the point (m) and the impulse on the first body (N s).
/// What is not measured is null.
nlohmann::json to_json(const SimulationDocument& document);

/// The steps as CSV, with a header; what is not measured is empty.
std::string steps_csv(const std::vector<SimulationStep>& steps);

}  // namespace frictionbench::simulation
