/// \file
#pragma once

#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solvers/staggered/convex_sequence.hpp"

namespace frictionbench::solvers {

/// Staggered projections for the NCP: [LeLidec24] Alg. 7; Kaufman, Sueda, James, Pai, ACM Trans. Graph. 27
/// (2008).
///
///     r_N <- argmin r_N.W_NN r_N / 2 + r_N.(q_N + W_NT r_T)   over   r_N >= 0
///     r_T <- argmin r_T.W_TT r_T / 2 + r_T.(q_T + W_TN r_N)   over   ||r_T,i|| <= mu_i r_N,i
///
/// Line 2 of [LeLidec24] Alg. 7 has q_T where it must be q_N. Both problems are solved inexactly, see
/// InexactMinimization; L solves them by ADMM. An iteration is one of the inner method. Stops when
/// the NCP residuals after the second problem are within the tolerances. Nothing guarantees that
/// this converges.
class NcpStaggered final : public Solver {
 public:
  using Settings = ConvexSequenceSettings;

  static SolverInfo info();
  explicit NcpStaggered(const Settings& settings) : Solver(info()), settings_(settings) {}

 private:
  Result run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
             Observer& observer) const override;

  Settings settings_;
};

}  // namespace frictionbench::solvers
