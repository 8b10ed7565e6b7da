/// \file
#pragma once

#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solvers/gauss_seidel/separable_step.hpp"
#include "frictionbench/solvers/gauss_seidel/sweeps.hpp"

namespace frictionbench::solvers {

/// Over-relaxed projected Gauss-Seidel for the NCP: [LeLidec24] Alg. 6; the PGS that [Carpentier24] section V compares
/// with.
///
/// Contact by contact, with u_i = (W r + q)_i at the newest impulses:
///
///     r_N <- max(0, r_N - omega u_N / W_NN)
///     r_T <- disc_{mu r_N}(r_T - omega u_T / D)      u_T after the normal update
///
/// Stops when the NCP residuals of the final iterate of a sweep are within the tolerances.
///
/// Deviations from the papers; [LeLidec24] Alg. 6 is `tangent_divisor=smallest_entry,relaxation=1`:
/// 1. D is the largest eigenvalue of W_TT; L has min(W_T1T1, W_T2T2), with which the step
/// overshoots
///    where the tangents are coupled or of different size, and then cycles. Every fifth local 3D
///    file of a collection of 805, at 1e-6: 131 of 160 solved with the one, 122 with the other.
/// 2. omega = 1.2: 134 solved, in 0.8 of the time.
/// 3. [LeLidec24] (25) relaxes by mixing the new iterate with the old one after the projection, which for
///    omega > 1 leaves the cone; here the step is relaxed before the projection.
class NcpPgs final : public Solver {
 public:
  struct Settings {
    double relaxation = 1.2;
    TangentDivisor tangent_divisor = TangentDivisor::largest_eigenvalue;
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
