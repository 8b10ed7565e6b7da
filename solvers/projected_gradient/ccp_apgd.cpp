#include "projected_gradient/ccp_apgd.hpp"

#include "projected_gradient/accelerated_gradient.hpp"
#include "projected_gradient/projected_gradient.hpp"

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
  return solve_scaled(settings_.scaling, info().model, problem, limits, guess,
                      [&](const ContactProblem& scaled, const InitialGuess& start) {
                        Result result;
                        const DelassusOperator W(scaled, result.work);
                        const ConvexQuadratic cones = cone_problem(scaled, W);
                        AcceleratedGradient method(cones, start.r, result.work);
                        projected_gradient(method, scaled, limits, observer, result);
                        return result;
                      });
}

}  // namespace frictionbench::solvers
