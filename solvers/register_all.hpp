/// \file
#pragma once

#include "frictionbench/solver/registry.hpp"

namespace frictionbench::solvers {

/// All solvers that ship with the project.
Registry all_solvers();

}  // namespace frictionbench::solvers
