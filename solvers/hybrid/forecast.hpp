/// \file
/// Estimates how many more iterations a method needs, from its residuals so far.
#pragma once

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

#include "frictionbench/criteria/verdict.hpp"

namespace frictionbench::solvers {

/// Assumes that the best residual keeps falling at its average rate over the last quarter, half or three
/// quarters of the iterations so far, whichever is fastest. Residuals of sweeps with momentum and of ADMM
/// come down in waves and slow down, so neither the last few iterations nor all of them are
/// representative.
class Forecast {
 public:
  explicit Forecast(double tolerance) : tolerance_(tolerance) {}

  /// Adds the residuals after this many iterations, in order.
  void add(int iteration, const ConeResiduals& residuals) {
    const double residual = residuals.max();
    // The tolerance may be 0.
    const double now = std::log(residual <= tolerance_ ? 1 : residual / tolerance_);
    points_.push_back({iteration, points_.empty() ? now : std::min(now, points_.back().best)});
  }

  /// Iterations that are still needed: 0 if residuals were within the tolerance, infinity without
  /// progress in the last three quarters, or if only one iteration is known.
  double iterations_left() const {
    return std::min(
        {iterations_left_since(0.25), iterations_left_since(0.5), iterations_left_since(0.75)});
  }

 private:
  struct Point {
    int iteration;
    double best;  // logarithm of how far the best residuals are above the tolerance
  };

  // \param share of the iterations so far, after which the rate counts.
  double iterations_left_since(double share) const {
    if (points_.empty()) return std::numeric_limits<double>::infinity();
    const Point& now = points_.back();
    if (now.best <= 0) return 0;
    auto then = points_.rbegin();
    while (std::next(then) != points_.rend() && then->iteration > share * now.iteration) ++then;
    const double fallen = then->best - now.best;
    if (!(fallen > 0)) return std::numeric_limits<double>::infinity();
    return now.best / fallen * (now.iteration - then->iteration);
  }

  double tolerance_;
  std::vector<Point> points_;
};

}  // namespace frictionbench::solvers
