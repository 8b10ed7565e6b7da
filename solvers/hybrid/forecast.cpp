#include "frictionbench/solvers/hybrid/forecast.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace frictionbench::solvers {

void Forecast::add(int iteration, const ConeResiduals& residuals) {
  const double residual = residuals.max();
  // The tolerance may be 0.
  const double now = std::log(residual <= tolerance_ ? 1 : residual / tolerance_);
  points_.push_back({iteration, points_.empty() ? now : std::min(now, points_.back().best)});
}

double Forecast::iterations_left() const {
  if (points_.empty()) return std::numeric_limits<double>::infinity();
  const Point& now = points_.back();
  if (now.best <= 0) return 0;
  auto half = points_.rbegin();
  while (std::next(half) != points_.rend() && 2 * half->iteration > now.iteration) ++half;
  const double fallen = half->best - now.best;
  if (!(fallen > 0)) return std::numeric_limits<double>::infinity();
  return now.best / fallen * (now.iteration - half->iteration);
}

}  // namespace frictionbench::solvers
