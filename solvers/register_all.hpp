/// \file
/// All solvers that ship with the project.
#pragma once

#include "frictionbench/solver/registry.hpp"

/// Adds the solver that the function `entry` of this namespace makes, in a file of that name. It
/// declares the function, so that a solver needs no header: one file, and one line of this.
#define FRICTIONBENCH_REGISTER(registry, entry) \
  do {                                          \
    extern RegisteredSolver entry();            \
    (registry).add(entry());                    \
  } while (false)

namespace frictionbench::solvers {

/// One function a family, each in the family's register file.
void register_gauss_seidel(Registry& registry);
void register_jacobi(Registry& registry);
void register_raisim(Registry& registry);
void register_projected_gradient(Registry& registry);
void register_admm(Registry& registry);
void register_staggered(Registry& registry);
void register_interior_point(Registry& registry);
void register_nonsmooth_newton(Registry& registry);
void register_compliant_newton(Registry& registry);
void register_hybrid(Registry& registry);

/// Registers every family.
Registry all_solvers();

}  // namespace frictionbench::solvers
