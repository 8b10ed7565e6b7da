/// \file
#pragma once

#include "frictionbench/solver/registry.hpp"

namespace frictionbench::solvers {

/// Ours: the NCP by stages, cheap ones first, each only for as long as it promises to be enough.
///
///  1. Sweeps of Gauss-Seidel (sweep_stage). They solve what is easy in less time than a
///     factorisation takes, and what is large and loosely packed.
///  2. Accelerated ADMM from there (accelerated_admm). Fast to 1e-6, and where its active set is
///     right soon.
///  3. Interior point steps from afar (NcpIpm's iteration). A dozen factorisations, whatever
///     tolerance and conditioning; may be trapped.
///  4. Safeguards for what is left, each from zero: ncp-newton; ncp-newton on the natural map;
///     ncp-ipm in full; ncp-admm up to the iteration limit. Newton's method solves most of what
///     traps the interior point method; it would solve the rest too, in more factorisations.
///
/// Stages 1 and 2 end early, by the rule of Forecast: when the iterations that their residuals ask
/// for are more than the stage has. All but the sweeps share one scaled problem (ContactScaling).
///
/// `iterations` is the sum of all stages; `fired` and the claims say which one finished and how
/// many each took. Why these stages and numbers: results/paper/second-order.md.
class NcpHybrid final : public Solver {
 public:
  struct Settings {
    int sweeps = 200;
    int admm = 200;
    int interior_point = 30;
    int safeguards = 1000;
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
