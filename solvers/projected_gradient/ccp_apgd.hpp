/// \file
#pragma once

#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solver/scaled_solve.hpp"

namespace frictionbench::solvers {

/// Accelerated projected gradient descent for the CCP: Mazhar, Heyn, Negrut, Tasora, ACM Trans.
/// Graph. 34 (2015), Algorithm APGD; in Chrono, and cited by D. See AcceleratedGradient for the
/// iteration.
///
/// Stops when the CCP residuals of an iterate are within the tolerances; otherwise the answer is
/// the best iterate.
///
/// Deviation from the paper: the problem is equilibrated contact by contact first; `scaling=none`
/// is the paper's.
class CcpApgd final : public Solver {
 public:
  struct Settings {
    Scaling scaling = Scaling::contacts;
    void describe(SettingFields& fields);
  };

  static SolverInfo info();
  explicit CcpApgd(const Settings& settings) : Solver(info()), settings_(settings) {}

 private:
  Result run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
             Observer& observer) const override;

  Settings settings_;
};

}  // namespace frictionbench::solvers
