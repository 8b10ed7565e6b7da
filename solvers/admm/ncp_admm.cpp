#include "frictionbench/solvers/admm/ncp_admm.hpp"

#include "frictionbench/solvers/admm/accelerated_admm.hpp"
#include "frictionbench/solvers/admm/proximal_admm.hpp"

namespace frictionbench::solvers {

SolverInfo NcpAdmm::info() {
  SolverInfo info;
  info.name = "ncp-admm";
  info.summary = "proximal ADMM with spectral or linear penalty update on the exact friction cone";
  info.model = ContactModel::ncp;
  info.sources = {"Carpentier, Le Lidec, Montaut, RSS 2024 (S), Alg. 1, (37)-(46)"};
  info.zero_diagonal = true;
  return info;
}

Result NcpAdmm::run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
                    Observer& observer) const {
  if (settings_.variant == AdmmVariant::rss2024)
    return proximal_admm(ContactModel::ncp, settings_, problem, limits, guess, observer);
  return accelerated_admm(ContactModel::ncp, settings_, problem, limits, guess, observer);
}

}  // namespace frictionbench::solvers
