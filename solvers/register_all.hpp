/// \file
#pragma once

#include "frictionbench/solver/registry.hpp"

/// Adds the solver that the function `entry` makes. Declares the function in the namespace where this
/// stands, so that a solver needs no header: it takes one file, and one line of this.
#define FRICTIONBENCH_REGISTER(registry, entry) \
  do {                                          \
    extern RegisteredSolver entry();            \
    (registry).add(entry());                    \
  } while (false)

namespace frictionbench::solvers {

/// All solvers that ship with the project.
Registry all_solvers();

}  // namespace frictionbench::solvers
