#include "frictionbench/solvers/compliant_newton/ccp_sap.hpp"

#include <algorithm>
#include <numbers>

namespace frictionbench::solvers {

void CcpSap::describe(SettingFields& fields) {
  fields.add("beta", beta, positive(),
             "period of a near-rigid contact in time steps, which bounds R_N from below",
             "[Castro22] section V-B");
  fields.add("sigma", sigma, positive(),
             "R_T by the effective inverse mass: slip where contacts stick",
             "[Castro22] section V-B");
  fields.add("compliance", compliance, at_least(0), "inverse of the stiffness k of contacts, m/N",
             "0: the near-rigid contacts of [Castro22] section V-B");
  fields.add("time_step", time_step, positive(), "h, where compliance is not 0, s",
             "[Castro22] section VI-C");
  fields.add("dissipation_time", dissipation_time, at_least(0),
             "tau_d, where compliance is not 0, s", "[Castro22] section VI-C: the time step");
  fields.add("line_search", line_search.kind,
             {{"exact", LineSearch::exact}, {"armijo", LineSearch::armijo}},
             "exact: to the minimum along the direction; armijo: backtracking",
             "[Castro22] section IV-B, \"our preferred algorithm\"");
  line_search.describe_armijo(fields);
  PrimalNewtonSettings::describe(fields);
}

Compliance CcpSap::compliance_of(const ContactProblem& problem) const {
  const int dim = problem.dimension();
  const double near_rigid = beta * beta / (4 * std::numbers::pi * std::numbers::pi);
  const double soft = compliance / (time_step * (time_step + dissipation_time));
  Compliance R{Vector(problem.contacts()), Vector(problem.contacts())};
  for (Index i = 0; i < problem.contacts(); ++i) {
    const double w = Matrix(problem.local().W.block(dim * i, dim * i, dim, dim)).norm() / dim;
    R.normal[i] = std::max(near_rigid * w, soft);
    R.tangent[i] = sigma * w;
  }
  return R;
}

RegisteredSolver ccp_sap() {
  const auto run = [](const CcpSap& settings, Solve& solve) {
    primal_newton(settings.compliance_of(solve.problem()), settings, solve);
  };
  return solver_entry<CcpSap>(
      {.name = "ccp-sap",
       .model = ContactModel::ccp,
       .summary = "SAP, Drake's Newton method on a compliant CCP",
       .sources = {"[Castro22] Alg. 2", "Drake, multibody/contact_solvers/sap"},
       .exact = false,
       .zero_diagonal = false},
      run);
}

}  // namespace frictionbench::solvers
