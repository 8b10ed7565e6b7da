/// \file
#pragma once

#include "frictionbench/solvers/jacobi/projected_jacobi.hpp"

namespace frictionbench::solvers {

/// Projected Jacobi for the CCP, as Chrono has it (Tasora, Anitescu, Comput. Methods Appl. Mech.
/// Eng. 200, 2011; cited by D).
///
/// All contacts at once, with u = W r + q of the last iterate:
///
///     r_i <- P_K(r_i - omega / D_i u_i),     D_i = max_a sum_b |W_ab| over the rows a of contact i
///
/// For a symmetric positive semi-definite W this cannot diverge: diag(D) - W is diagonally
/// dominant, so it is positive semi-definite, the step is that of a projected gradient method in
/// the metric D, and each lowers r.W r / 2 + r.q by (1 / omega - 1 / 2) ||step||_D^2 at least.
/// Stops when the CCP residuals are within the tolerances.
///
/// Deviation from Chrono: it divides by trace(W_ii) / d and leaves it to the user to find an omega
/// that is small enough; that is `divisor=trace`.
class CcpJacobi final : public Solver {
 public:
  using Settings = JacobiSettings;

  static SolverInfo info();
  explicit CcpJacobi(const Settings& settings) : Solver(info()), settings_(settings) {}

 private:
  Result run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
             Observer& observer) const override;

  Settings settings_;
};

}  // namespace frictionbench::solvers
