/// \file
#pragma once

#include "frictionbench/solver/registry.hpp"

namespace frictionbench::solvers {

/// Ours: the NCP by stages, cheap ones first, each only for as long as it promises to be enough.
///
///  1. Sweeps of projected Gauss-Seidel (sweep_stage). They solve what is easy in less time than a
///     factorisation takes, and what is large and loosely packed.
///  2. Accelerated ADMM from there (accelerated_admm). Fast to 1e-6, and where its active set is
///     right soon.
///  3. Interior point steps from afar (NcpIpm's iteration). A dozen factorisations, whatever
///     tolerance and conditioning; may be trapped.
///  4. ncp-newton as it is, from zero. It solves most of what traps the interior point method, and
///     would do so without it; but it takes more factorisations where that one gets through.
///  5. ncp-admm as it is, from zero, up to the iteration limit. Slow; for what is left.
///
/// The first two end early, by the rule of Forecast: when the iterations that their residuals ask
/// for are more than the stage has. Stages 2 to 5 share one scaled problem (ContactScaling).
///
/// `iterations` is the sum of all stages; `fired` and the claims say which one finished and how
/// many each took. Why these stages and numbers: results/paper/second-order.md.
class NcpHybrid final : public Solver {
 public:
  struct Settings {
    int sweeps = 200;
    int admm = 200;
    int interior_point = 60;
    int newton = 1000;
    void describe(SettingFields& fields);
  };

  static SolverInfo info();
  explicit NcpHybrid(const Settings& settings) : Solver(info()), settings_(settings) {}

 private:
  Result run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
             Observer& observer) const override;

  Settings settings_;
};

}  // namespace frictionbench::solvers
