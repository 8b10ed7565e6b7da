/// \file
#pragma once

#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solvers/gauss_seidel/sweeps.hpp"

namespace frictionbench::solvers {

/// Projected Gauss-Seidel for the CCP of Anitescu and Tasora: [LeLidec24] Alg. 2.
///
/// Contact by contact, with u_i = (W r + q)_i at the newest impulses:
///
///     r_i <- P_K(r_i - omega d / trace(W_ii) u_i)        d = 3, or 2 for a 2D problem
///
/// Stops when the CCP residuals of the final iterate of a sweep are within the tolerances.
class CcpPgs final : public Solver {
 public:
  struct Settings {
    double relaxation = 1.0;
    SweepSettings sweeps = {};
    void describe(SettingFields& fields);
  };

  static SolverInfo info();
  explicit CcpPgs(const Settings& settings) : Solver(info()), settings_(settings) {}

 private:
  Result run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
             Observer& observer) const override;

  Settings settings_;
};

}  // namespace frictionbench::solvers
