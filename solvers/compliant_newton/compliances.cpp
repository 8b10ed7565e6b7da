#include "frictionbench/solvers/compliant_newton/compliances.hpp"

#include <algorithm>
#include <numbers>

namespace frictionbench::solvers {

namespace {

template <typename Settings>
void run(const Settings& settings, Solve& solve) {
  primal_newton(settings.compliance_of(solve.problem()), settings, solve);
}

}  // namespace

void CcpSap::describe(SettingFields& fields) {
  fields.add("beta", beta, positive(),
             "near-rigid contacts get a stiffness whose period of oscillation is beta time steps; "
             "lower bound of R_N",
             "[Castro22] section V-B");
  fields.add("sigma", sigma, positive(),
             "R_T as a fraction of the effective inverse mass of the contact; larger values let "
             "sticking contacts slip more",
             "[Castro22] section V-B");
  fields.add("compliance", compliance, at_least(0),
             "inverse of the contact stiffness, m/N; 0: near-rigid contacts",
             "[Castro22] section V-B");
  fields.add("time_step", time_step, positive(), "time step h, s; used only if compliance is not 0",
             "[Castro22] section VI-C");
  fields.add("dissipation_time", dissipation_time, at_least(0),
             "dissipation time scale tau_d, s; used only if compliance is not 0",
             "[Castro22] section VI-C: equal to the time step");
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
  return solver_entry({.name = "ccp-sap",
                       .model = ContactModel::ccp,
                       .summary = "SAP, Drake's Newton method, on a CCP with compliance",
                       .sources = {"[Castro22] Alg. 2", "Drake, multibody/contact_solvers/sap"},
                       .exact = false,
                       .zero_diagonal = false},
                      run<CcpSap>);
}

void CcpNewton::describe(SettingFields& fields) {
  fields.add("alpha", alpha, positive(), "compliance R = alpha diag(W)",
             "MuJoCo: (1 - d) / d with d = 0.9 of solimp");
  line_search.describe_armijo(fields);
  PrimalNewtonSettings::describe(fields);
}

Compliance CcpNewton::compliance_of(const ContactProblem& problem) const {
  const Index dim = problem.dimension();
  const Vector diagonal = problem.local().W.diagonal();
  Compliance R{Vector(problem.contacts()), Vector(problem.contacts())};
  for (Index i = 0; i < problem.contacts(); ++i) {
    R.normal[i] = alpha * diagonal[dim * i];
    R.tangent[i] = alpha * diagonal.segment(dim * i + 1, dim - 1).mean();
    // A frictionless contact whose tangents nothing moves: R_T is then never used.
    if (!(R.tangent[i] > 0)) R.tangent[i] = R.normal[i];
  }
  return R;
}

RegisteredSolver ccp_newton() {
  return solver_entry(
      {.name = "ccp-newton",
       .model = ContactModel::ccp,
       .summary = "Newton's method on a CCP with MuJoCo's compliance",
       .sources = {"[LeLidec24] section III-B, Alg. 4", "Todorov, Erez, Tassa, MuJoCo, IROS 2012"},
       .exact = false,
       .zero_diagonal = false},
      run<CcpNewton>);
}

}  // namespace frictionbench::solvers
