/// \file
#pragma once

#include "frictionbench/solvers/jacobi/projected_jacobi.hpp"

namespace frictionbench::solvers {

/// Projected Jacobi for the NCP: the steps of [LeLidec24] Alg. 6, all contacts at once.
///
/// With u = W r + q of the last iterate:
///
///     r_N <- max(0, r_N - omega / D_i u_N)
///     r_T <- disc_{mu r_N}(r_T - omega / D_i u_T)     r_N the new one
///
/// with D_i as in ccp-jacobi, whose guarantee does not carry over where friction is: the NCP
/// minimises nothing.
/// Stops when the NCP residuals are within the tolerances.
class NcpJacobi final : public Solver {
 public:
  using Settings = JacobiSettings;

  static SolverInfo info();
  explicit NcpJacobi(const Settings& settings) : Solver(info()), settings_(settings) {}

 private:
  Result run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
             Observer& observer) const override;

  Settings settings_;
};

}  // namespace frictionbench::solvers
