/// \file
#pragma once

#include "frictionbench/linalg/delassus_operator.hpp"
#include "frictionbench/solver/solver.hpp"

namespace frictionbench::solvers {

/// Where an ADMM starts: an impulse in the cone, and the dual variable that goes with it.
struct AdmmStart {
  Vector y;  ///< in K, m
  Vector
      z;  ///< in K^*, m: the projection of û (NCP) or u (CCP) at y; zero for y = 0 without sweeps
};

/// Projects the guess on the cone and improves it by sweeps of block projected Gauss-Seidel,
///
///     r_i <- P_K(r_i - dim / trace(W_ii) v_i)      v_i the newest û_i (NCP) or u_i (CCP)
///
/// which [LeLidec24] Algs. 2 and 6 have in common but for how the step is split. Sweeps and products are
/// counted in `work`. Contacts whose block has trace 0 keep their guess. \param guess m.
AdmmStart admm_start(ContactModel model, const ContactProblem& problem, const DelassusOperator& W,
                     const Vector& guess, int sweeps, WorkCounters& work);

}  // namespace frictionbench::solvers
