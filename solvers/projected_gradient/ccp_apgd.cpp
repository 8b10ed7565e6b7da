#include "frictionbench/solvers/projected_gradient/ccp_apgd.hpp"

#include "frictionbench/solvers/projected_gradient/accelerated_gradient.hpp"
#include "frictionbench/solvers/projected_gradient/projected_gradient.hpp"

namespace frictionbench::solvers {

void CcpApgd::Settings::describe(SettingFields& fields) { describe_scaling(fields, scaling); }

SolverInfo CcpApgd::info() {
  SolverInfo info;
  info.name = "ccp-apgd";
  info.summary = "Nesterov's accelerated projected gradient with adaptive restart";
  info.model = ContactModel::ccp;
  info.sources = {"Mazhar, Heyn, Negrut, Tasora, ACM Trans. Graph. 34 (2015), Algorithm APGD",
                  "Chrono, ChSolverAPGD"};
  info.zero_diagonal = true;
  return info;
}

Result CcpApgd::run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
                    Observer& observer) const {
  return projected_gradient(
      settings_.scaling, problem, limits, guess, observer,
      [](const ConvexQuadratic& cones, const Vector& start, WorkCounters& work) {
        return AcceleratedGradient(cones, start, work);
      });
}

}  // namespace frictionbench::solvers
