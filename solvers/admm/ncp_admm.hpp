/// \file
#pragma once

#include "frictionbench/solvers/admm/admm_settings.hpp"

namespace frictionbench::solvers {

/// ADMM for the NCP of rigid contact: by default accelerated_admm, which is [Carpentier24] Alg. 1 equilibrated,
/// with a penalty for each contact and safeguarded acceleration; with variant=rss2024
/// proximal_admm, which is [Carpentier24] Alg. 1 as published. Their headers give the iterations.
class NcpAdmm final : public Solver {
 public:
  using Settings = AdmmSettings;

  static SolverInfo info();
  explicit NcpAdmm(const Settings& settings) : Solver(info()), settings_(settings) {
    settings_.validate();
  }

 private:
  Result run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
             Observer& observer) const override;

  Settings settings_;
};

}  // namespace frictionbench::solvers
