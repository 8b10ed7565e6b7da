#include "frictionbench/solvers/compliant_newton/ccp_newton.hpp"

namespace frictionbench::solvers {

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
  const auto run = [](const CcpNewton& settings, Solve& solve) {
    primal_newton(settings.compliance_of(solve.problem()), settings, solve);
  };
  return solver_entry<CcpNewton>(
      {.name = "ccp-newton",
       .model = ContactModel::ccp,
       .summary = "Newton's method on a CCP with MuJoCo's compliance",
       .sources = {"[LeLidec24] section III-B, Alg. 4", "Todorov, Erez, Tassa, MuJoCo, IROS 2012"},
       .exact = false,
       .zero_diagonal = false},
      run);
}

}  // namespace frictionbench::solvers
