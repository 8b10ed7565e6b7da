#include "frictionbench/solvers/admm/admm.hpp"

#include "frictionbench/solvers/admm/accelerated_admm.hpp"
#include "frictionbench/solvers/admm/proximal_admm.hpp"

namespace frictionbench::solvers {

void admm(const AdmmSettings& settings, Solve& solve) {
  if (settings.variant == AdmmVariant::rss2024) return proximal_admm(settings, solve);
  accelerated_admm(settings, solve);
}

RegisteredSolver ncp_admm() {
  return solver_entry(
      {.name = "ncp-admm",
       .model = ContactModel::ncp,
       .summary = "proximal ADMM with spectral or linear penalty update on the exact friction cone",
       .sources = {"[Carpentier24] Alg. 1, (37)-(46)"}},
      admm);
}

RegisteredSolver ccp_admm() {
  return solver_entry({.name = "ccp-admm",
                       .model = ContactModel::ccp,
                       .summary = "proximal ADMM on the cone complementarity problem",
                       .sources = {"[Carpentier24] Alg. 1 with s = 0", "[LeLidec24] Alg. 3"}},
                      admm);
}

}  // namespace frictionbench::solvers
