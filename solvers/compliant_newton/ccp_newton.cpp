#include "frictionbench/solvers/compliant_newton/ccp_newton.hpp"

namespace frictionbench::solvers {

void CcpNewton::Settings::describe(SettingFields& fields) {
  fields.add("alpha", alpha, positive(), "R by the diagonal of W",
             "MuJoCo: (1 - d) / d with d = 0.9 of solimp");
  line_search.describe_armijo(fields);
  PrimalNewtonSettings::describe(fields);
}

SolverInfo CcpNewton::info() {
  SolverInfo info;
  info.name = "ccp-newton";
  info.summary = "Newton's method on a compliant CCP, with the compliance of MuJoCo";
  info.model = ContactModel::ccp;
  info.exact = false;
  info.sources = {"Le Lidec et al., Contact Models in Robotics (L), section III-B, Alg. 4",
                  "Todorov, Erez, Tassa, MuJoCo, IROS 2012"};
  return info;
}

Compliance CcpNewton::compliance(const Settings& settings, const ContactProblem& problem) {
  const Index dim = problem.dimension();
  const Vector diagonal = problem.local().W.diagonal();
  Compliance R{Vector(problem.contacts()), Vector(problem.contacts())};
  for (Index i = 0; i < problem.contacts(); ++i) {
    R.normal[i] = settings.alpha * diagonal[dim * i];
    R.tangent[i] = settings.alpha * diagonal.segment(dim * i + 1, dim - 1).mean();
    // Of a frictionless contact whose tangents nothing moves. R_T then means nothing.
    if (!(R.tangent[i] > 0)) R.tangent[i] = R.normal[i];
  }
  return R;
}

Result CcpNewton::run(const ContactProblem& problem, const Limits& limits,
                      const InitialGuess& guess, Observer& observer) const {
  return primal_newton(compliance(settings_, problem), settings_, problem, limits, guess, observer);
}

}  // namespace frictionbench::solvers
