/// \file
#pragma once

#include "frictionbench/solver/solve.hpp"

namespace frictionbench::solvers {

/// Where an ADMM starts: an impulse in the cone and its dual variable.
struct AdmmStart {
  Vector y;  ///< in K, m
  Vector z;  ///< in K^*, m: û (NCP) or u (CCP) at y, projected; zero for y = 0 without sweeps
};

/// Projects the start of the solve on the cone and improves it by sweeps of block projected
/// Gauss-Seidel,
///
///     r_i <- P_K(r_i - dim / trace(W_ii) v_i)      v_i is the newest û_i (NCP) or u_i (CCP)
///
/// which [LeLidec24] Algs. 2 and 6 share, except for how the step is split. Contacts whose block
/// has trace 0 keep their start.
AdmmStart admm_start(Solve& solve, int sweeps);

}  // namespace frictionbench::solvers
