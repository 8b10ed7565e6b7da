/// \file
/// Step length along a Newton direction of a convex cost.
#pragma once

#include <functional>

#include "frictionbench/solver/settings.hpp"

namespace frictionbench::solvers {

enum class LineSearch {
  exact,   ///< the minimum along the direction, by a safeguarded Newton iteration on the slope
  armijo,  ///< backtracking
};

struct LineSearchSettings {
  LineSearch kind = LineSearch::exact;
  double alpha_max = 1.25;  ///< armijo: the first step tried, > 0
  double shrink = 0.8;      ///< armijo: rho, factor of a step that is too long, in (0, 1)
  double decrease = 1e-4;   ///< armijo: c, fraction of the predicted decrease, in (0, 1)

  /// Adds the settings of `armijo`, which both solvers have.
  void describe_armijo(SettingFields& fields);
};

/// l(alpha) and its first two derivatives: those of a strongly convex function.
struct LinePoint {
  double cost = 0;
  double slope = 0;
  double curvature = 0;
};
using Line = std::function<LinePoint(double alpha)>;

/// The step to take. \param start line(0), whose slope is negative except for rounding.
/// \returns 0 if rounding leaves nothing to gain.
///
/// exact: `rtsafe` ([Castro22] section IV-B), Newton's method on the slope, bisection where that
/// leaves the bracket or is slow, to 1e-10 of alpha; the cost then misses its minimum by 1e-20 of
/// what the step gains. The minimum may lie beyond 1.
///
/// armijo: starts at alpha_max and shortens the step by `shrink` until l(alpha) < l(0) + decrease
/// alpha l'(0) and a further shortening does not lower the cost. The second condition is not in
/// [Castro22] but in its authors' code (Drake, SapSolver): with the first alone, steps near the
/// solution always have length alpha_max = 1.25, which leaves a quarter of the error each time. If
/// the possible gain is below the rounding of the cost, the step is 1.
double step_length(const LineSearchSettings& settings, const LinePoint& start, const Line& line);

}  // namespace frictionbench::solvers
