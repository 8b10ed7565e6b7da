#include "frictionbench/solvers/staggered/convex_sequence.hpp"

#include <algorithm>

namespace frictionbench::solvers {

void InnerSettings::describe(SettingFields& fields) {
  fields.add("reduction", reduction, open_interval(0, 1),
             "an inner problem is solved until its natural residual has fallen to this fraction; "
             "inner=apgd only",
             "measured");
  fields.add("inner_iterations", iterations, at_least(1), "iteration limit of each inner problem",
             "Siconos TFP: 1000");
}

int InexactMinimization::run(const ConvexQuadratic& problem, int left, Vector& x) {
  AcceleratedGradient method(problem, x, TrialSteps(solve_.work()), curvature_);
  const double target =
      settings_.reduction * problem.natural_residual(method.x(), method.gradient());
  const int most = std::min(left, settings_.iterations);
  int taken = 0;
  do {
    method.step();
    ++taken;
  } while (taken < most && !solve_.time_is_up() &&
           problem.natural_residual(method.x(), method.gradient()) > target);
  x = method.x();
  gradient_ = method.gradient();
  curvature_ = method.curvature();
  return taken;
}

}  // namespace frictionbench::solvers
