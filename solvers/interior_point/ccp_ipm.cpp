#include "frictionbench/solvers/interior_point/ccp_ipm.hpp"

namespace frictionbench::solvers {

SolverInfo CcpIpm::info() {
  SolverInfo info;
  info.name = "ccp-ipm";
  info.summary = "primal-dual interior point, Nesterov-Todd scaling, Mehrotra's corrector";
  info.model = ContactModel::ccp;
  info.sources = {"Vandenberghe, The CVXOPT linear and quadratic cone program solvers, 2010",
                  "Alizadeh, Goldfarb, Second-order cone programming, Math. Program. 95 (2003)"};
  info.zero_diagonal = true;
  return info;
}

Result CcpIpm::run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
                   Observer& observer) const {
  return interior_point(info().model, settings_, problem, limits, guess, observer);
}

}  // namespace frictionbench::solvers
