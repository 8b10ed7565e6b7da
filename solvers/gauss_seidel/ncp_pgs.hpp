/// \file
#pragma once

#include "frictionbench/solver/registry.hpp"
#include "gauss_seidel/sweeps.hpp"

namespace frictionbench::solvers {

/// Over-relaxed projected Gauss-Seidel for the NCP: L Alg. 6; the PGS that S section V compares
/// with.
///
/// Contact by contact, with u_i = (W r + q)_i at the newest impulses:
///
///     r_N <- max(0, r_N - omega u_N / W_NN)
///     r_T <- disc_{mu r_N}(r_T - omega u_T / min(W_T1T1, W_T2T2))       u_T after the normal
///     update
///
/// Stops when the NCP residuals of the final iterate of a sweep are within the tolerances.
///
/// Deviation from the paper: L (25) relaxes by mixing the new iterate with the old one after the
/// projection, which for omega > 1 leaves the cone; here the step is relaxed before the projection.
class NcpPgs final : public Solver {
 public:
  struct Settings {
    double relaxation = 1.0;
    SweepSettings sweeps = {};
    void describe(SettingFields& fields);
  };

  static SolverInfo info();
  explicit NcpPgs(const Settings& settings) : Solver(info()), settings_(settings) {}

 private:
  Result run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
             Observer& observer) const override;

  Settings settings_;
};

}  // namespace frictionbench::solvers
