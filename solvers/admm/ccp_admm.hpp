/// \file
#pragma once

#include "frictionbench/solvers/admm/admm_settings.hpp"

namespace frictionbench::solvers {

/// ADMM for the CCP: [Carpentier24] Alg. 1 with s = 0, that is its convex subproblem (28a) alone; [LeLidec24] Alg. 3 with
/// a proximal term and the penalty rules of S. See NcpAdmm for the two variants.
class CcpAdmm final : public Solver {
 public:
  using Settings = AdmmSettings;

  static SolverInfo info();
  explicit CcpAdmm(const Settings& settings) : Solver(info()), settings_(settings) {
    settings_.validate();
  }

 private:
  Result run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
             Observer& observer) const override;

  Settings settings_;
};

}  // namespace frictionbench::solvers
