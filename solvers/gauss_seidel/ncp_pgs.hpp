/// \file
/// The settings and the step of ncp-pgs, which the sweeps of ncp-hybrid share.
#pragma once

#include "frictionbench/solvers/gauss_seidel/block_alone.hpp"
#include "frictionbench/solvers/gauss_seidel/gauss_seidel.hpp"
#include "frictionbench/solvers/gauss_seidel/separable_step.hpp"

namespace frictionbench::solvers {

/// Over-relaxed projected Gauss-Seidel for the NCP: [LeLidec24] Alg. 6; the PGS that [Carpentier24]
/// section V compares with.
///
/// Contact by contact, with u_i = (W r + q)_i at the newest impulses:
///
///     r_N <- max(0, r_N - omega u_N / W_NN)
///     r_T <- disc_{mu r_N}(r_T - omega u_T / D)      u_T after the normal update
///
/// Deviations from the papers; [LeLidec24] Alg. 6 is `tangent_divisor=smallest_entry,relaxation=1`:
/// 1. D is the largest eigenvalue of W_TT. [LeLidec24] has min(W_T1T1, W_T2T2), which overshoots
///    and then cycles if the tangents are coupled or differ in size. On every fifth local 3D file
///    of a collection of 805, at 1e-6: 131 of 160 solved with the former, 122 with the latter.
/// 2. omega = 1.2: 134 solved, in 0.8 of the time.
/// 3. [LeLidec24] (25) relaxes by mixing the new iterate with the old one after the projection,
///    which for omega > 1 leaves the cone; here the step is relaxed before the projection.
struct NcpPgs {
  double relaxation = 1.2;  // omega, in (0, 2)
  TangentDivisor tangent_divisor = TangentDivisor::largest_eigenvalue;
  SweepSettings sweeps;

  void describe(SettingFields& fields);

  void adapt(SolverInfo& info) const { sweeps.adapt(info); }

  /// The step of contact i, or of a block of any set, whose rows are moved and projected together:
  ///
  ///     r_i <- P_C(r_i - omega û_i / D)      D the largest eigenvalue of the symmetric part of W_ii
  ///
  /// Joints, which nothing is projected on, take the step to their exact solution instead.
  template <typename Sweeps>
  void step(const Sweeps& W, Index i, Vector& r) const {
    if constexpr (requires { W.set(i); })
      step_of_block(W, i, r);
    else
      separable_step(W, i, relaxation, tangent_divisor, r,
                     [](auto& r_T, double limit) { project_on_disc(r_T, limit); });
  }

 private:
  template <typename Sweeps>
  void step_of_block(const Sweeps& W, Index i, Vector& r) const {
    const double divisor = W.stiffness(i);
    if (!(divisor > 0)) {
      W.of(r, i) = solve_alone(W, i, r);
      return;
    }
    if (W.set(i).is_whole_space()) {
      W.of(r, i) += relaxation * (solve_alone(W, i, r) - W.of(r, i));
      return;
    }
    const BlockVector u = W.set(i).corrected(W.velocity(i, r));
    W.of(r, i) = W.set(i).project(W.of(r, i) - relaxation / divisor * u);
  }
};

}  // namespace frictionbench::solvers
