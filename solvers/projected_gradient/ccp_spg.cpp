#include "frictionbench/solvers/projected_gradient/ccp_spg.hpp"

#include "frictionbench/solvers/projected_gradient/projected_gradient.hpp"

namespace frictionbench::solvers {

void CcpSpg::Settings::describe(SettingFields& fields) {
  fields.add("memory", search.memory, at_least(0),
             "costs that the non-monotone line search compares with; 0: no line search",
             "ChSolverBB: n_armijo");
  fields.add("max_backtracks", search.max_backtracks, at_least(0),
             "how often a step is shortened before it is taken as it is",
             "ChSolverBB: max_armijo_backtrace");
  describe_scaling(fields, scaling);
}

SolverInfo CcpSpg::info() {
  SolverInfo info;
  info.name = "ccp-spg";
  info.summary = "spectral projected gradient with a non-monotone line search";
  info.model = ContactModel::ccp;
  info.sources = {
      "Heyn, Anitescu, Tasora, Negrut, Int. J. Numer. Methods Eng. 95 (2013)",
      "Birgin, Martinez, Raydan, SIAM J. Optim. 10 (2000)",
      "Chrono, ChSolverBB",
  };
  info.zero_diagonal = true;
  return info;
}

Result CcpSpg::run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
                   Observer& observer) const {
  return projected_gradient(
      settings_.scaling, problem, limits, guess, observer,
      [&](const ConvexQuadratic& cones, const Vector& start, WorkCounters& work) {
        return SpectralGradient(cones, start, work, settings_.search);
      });
}

}  // namespace frictionbench::solvers
