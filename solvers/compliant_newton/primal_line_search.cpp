#include "frictionbench/solvers/compliant_newton/primal_line_search.hpp"

#include <cmath>

namespace frictionbench::solvers {

namespace {

constexpr double accuracy = 1e-10;   // of an exact step
constexpr double longest = 1e6;      // far beyond the range of a quadratic model
constexpr double shortest = 1e-10;   // of a backtracked step
constexpr double round_off = 1e-13;  // of a cost, relative
constexpr int evaluations = 100;

double exact_step(const LinePoint& start, const Line& line) {
  double low = 0, high = 1;
  LinePoint at = line(high);
  while (at.slope < 0 && high < longest) {
    low = high;
    high *= 2;
    at = line(high);
  }
  double alpha = high;
  double slope_before = -start.slope;
  for (int k = 0; k < evaluations; ++k) {
    (at.slope < 0 ? low : high) = alpha;
    const double newton = alpha - at.slope / at.curvature;
    const bool slow = std::abs(at.slope) > slope_before / 2;
    const double next = newton > low && newton < high && !slow ? newton : (low + high) / 2;
    slope_before = std::abs(at.slope);
    if (std::abs(newton - alpha) <= accuracy * alpha) return alpha;
    if (high - low <= accuracy * high) return alpha;
    alpha = next;
    at = line(alpha);
  }
  return alpha;
}

double armijo_step(const LineSearchSettings& settings, const LinePoint& start, const Line& line) {
  if (-start.slope <= round_off * start.cost) return 1;
  double alpha = settings.alpha_max;
  double cost = line(alpha).cost;
  while (alpha > shortest) {
    const double shorter = settings.shrink * alpha;
    const double shorter_cost = line(shorter).cost;
    const bool enough = cost < start.cost + settings.decrease * alpha * start.slope;
    if (enough && shorter_cost >= cost) return alpha;
    alpha = shorter;
    cost = shorter_cost;
  }
  return 0;
}

}  // namespace

void LineSearchSettings::describe_armijo(SettingFields& fields) {
  fields.add("alpha_max", alpha_max, positive(), "armijo: first step length tried",
             "[Castro22] section IV-B");
  fields.add("shrink", shrink, open_interval(0, 1),
             "armijo: factor rho by which the step is shortened", "[Castro22] section IV-B");
  fields.add("decrease", decrease, open_interval(0, 1),
             "armijo: constant c, fraction of the predicted decrease that a step must achieve",
             "[Castro22] section IV-B");
}

double step_length(const LineSearchSettings& settings, const LinePoint& start, const Line& line) {
  if (!(start.slope < 0)) return 0;
  return settings.kind == LineSearch::exact ? exact_step(start, line)
                                            : armijo_step(settings, start, line);
}

}  // namespace frictionbench::solvers
