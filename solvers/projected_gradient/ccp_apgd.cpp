#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solvers/projected_gradient/accelerated_gradient.hpp"

namespace frictionbench::solvers {

namespace {

/// Accelerated projected gradient descent for the CCP: Mazhar, Heyn, Negrut, Tasora, ACM Trans.
/// Graph. 34 (2015), Algorithm APGD; in Chrono, and cited by [Castro22]. See AcceleratedGradient
/// for the iteration. Deviation from the paper: `scaling=contacts`.
struct CcpApgd {
  Scaling scaling = Scaling::contacts;
  void describe(SettingFields& fields) { describe_scaling(fields, scaling); }
};

void run(const CcpApgd& settings, Solve& solve) {
  solve.use(settings.scaling);
  const ConvexQuadratic cones = cone_problem(solve);
  AcceleratedGradient method(cones, solve.start(), TrialSteps(solve.work()));
  while (solve.begin_iteration()) {
    method.step();
    if (solve.ends(method.x(), method.gradient())) return;
  }
}

}  // namespace

RegisteredSolver ccp_apgd() {
  return solver_entry(
      {.name = "ccp-apgd",
       .model = ContactModel::ccp,
       .summary = "Nesterov's accelerated projected gradient with adaptive restart",
       .sources = {"Mazhar, Heyn, Negrut, Tasora, ACM Trans. Graph. 34 (2015), Algorithm APGD",
                   "Chrono, ChSolverAPGD"}},
      run);
}

}  // namespace frictionbench::solvers
