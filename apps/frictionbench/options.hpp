/// \file
#pragma once

#include <string>
#include <vector>

#include "frictionbench/solver/registry.hpp"

namespace frictionbench::app {

/// The solvers named by `specs`; all registered ones with their defaults if it is empty.
/// A solver named twice is taken once. \throws std::invalid_argument for unknown names or settings.
std::vector<ConfiguredSolver> make_solvers(const Registry& registry,
                                           const std::vector<std::string>& specs);

}  // namespace frictionbench::app
