#include "frictionbench/solvers/admm/ccp_admm.hpp"

#include "frictionbench/solvers/admm/accelerated_admm.hpp"
#include "frictionbench/solvers/admm/proximal_admm.hpp"

namespace frictionbench::solvers {

SolverInfo CcpAdmm::info() {
  SolverInfo info;
  info.name = "ccp-admm";
  info.summary = "proximal ADMM on the cone complementarity problem";
  info.model = ContactModel::ccp;
  info.sources = {"Carpentier, Le Lidec, Montaut, RSS 2024 (S), Alg. 1 with s = 0",
                  "Le Lidec et al., Contact Models in Robotics (L), Alg. 3"};
  info.zero_diagonal = true;
  return info;
}

Result CcpAdmm::run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
                    Observer& observer) const {
  if (settings_.variant == AdmmVariant::rss2024)
    return proximal_admm(ContactModel::ccp, settings_, problem, limits, guess, observer);
  return accelerated_admm(ContactModel::ccp, settings_, problem, limits, guess, observer);
}

}  // namespace frictionbench::solvers
