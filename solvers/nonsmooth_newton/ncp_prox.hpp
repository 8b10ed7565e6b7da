/// \file
#pragma once

#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solvers/nonsmooth_newton/nonsmooth_newton.hpp"

namespace frictionbench::solvers {

/// Proximal point method for the NCP, each step by the nonsmooth Newton method (RR-9118, PPA-NSN;
/// in Siconos fc3d_proximal.c):
///
///     r+ solves the NCP of W + alpha I and q - alpha r,     alpha = min(sigma e^nu, ..)
///
/// A step's problem has a regular matrix however singular W is, and its solution is one of the NCP
/// where r+ = r. `iterations` are Newton's in all, claimed `outer_iterations` the steps. See
/// NonsmoothNewton for the former; its error e = ||F|| / sqrt(n_c) governs the latter.
///
/// Deviations from Siconos:
///
///  1. The problem is equilibrated contact by contact first, so that alpha compares with W_ii of
///     mean 1; `scaling=none` leaves that out.
///  2. The tolerances of the NCP are looked at in every Newton iteration, not after each step.
///  3. alpha falls after each step that succeeds, by `alpha_shrink` at least. From e alone it stays
///     too large where W is ill conditioned, and e with it.
///  4. After a step that fails, Gauss-Seidel sweeps of the NCP come first, then the larger alpha.
///  5. Newton's method is that of ncp-newton, with less damping, for alpha does the same.
class NcpProx final : public Solver {
 public:
  struct Settings {
    NonsmoothNewtonSettings newton = {.damping = 1e-3, .attempts = 6};
    double sigma = 0.1;
    double nu = 1;
    double alpha_first = 1;
    double alpha_shrink = 10;
    double alpha_growth = 10;
    double inner_tolerance = 0.5;
    int inner_iterations = 20;

    void describe(SettingFields& fields);
  };

  static SolverInfo info();
  explicit NcpProx(const Settings& settings) : Solver(info()), settings_(settings) {}

 private:
  Result run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
             Observer& observer) const override;

  Settings settings_;
};

}  // namespace frictionbench::solvers
