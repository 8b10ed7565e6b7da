/// \file
/// The scene families by name, with parameters given as text.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "frictionbench/scenes/contacts.hpp"
#include "frictionbench/solver/settings.hpp"

namespace frictionbench::scenes {

/// A world, the number of steps to simulate, and its names.
struct Scene {
  std::string family;   ///< folder and first part of file names: "Stack"
  std::string summary;  ///< summary of the family, one line
  std::string variant;  ///< non-default parameters, "boxes2-mass_ratio10", or "default"
  std::string command;  ///< arguments of `generate`: "stack --boxes 2 --mass-ratio 10"
  int steps = 0;        ///< time steps to simulate
  int snapshots = 1;    ///< problems to write, evenly spread over the steps
  World world;          ///< at time zero
};

/// A family of scenes: names, parameters, and how to make one.
struct Family {
  std::string name;                            ///< "stack"
  std::string folder;                          ///< "Stack"
  std::string summary;                         ///< one line
  std::vector<SettingDescription> parameters;  ///< with their defaults
  /// \throws std::invalid_argument for an unknown parameter or an illegal value.
  std::function<Scene(const Assignments&)> make;
};

/// All families.
const std::vector<Family>& families();

/// \throws std::invalid_argument for an unknown family, suggesting the nearest names.
const Family& find_family(const std::string& name);

/// The state of a scene at one time.
struct Snapshot {
  int step = 0;                   ///< number of the time step
  World world;                    ///< before the step
  std::vector<Contact> contacts;  ///< of the step
};

/// The snapshots of a scene, simulated by Settling: after steps * k / snapshots steps,
/// k = 1..snapshots (each once), or at time zero if it has no steps.
/// \throws UnsupportedContact naming the step at which a structure of boxes or wedges falls apart.
/// \throws UnstableStep naming the step at which the simulation becomes unstable.
std::vector<Snapshot> snapshots(const Scene& scene);

}  // namespace frictionbench::scenes
