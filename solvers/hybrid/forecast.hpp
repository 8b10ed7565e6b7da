/// \file
/// Estimates how many more iterations a method needs, from its residuals so far.
#pragma once

#include <limits>
#include <vector>

#include "frictionbench/criteria/verdict.hpp"

namespace frictionbench::solvers {

/// Assumes that the best residual keeps falling at its average rate over the second half of the
/// iterations so far: residuals of sweeps and ADMM oscillate and slow down, so neither the last few
/// nor all of them are representative.
class Forecast {
 public:
  explicit Forecast(double tolerance) : tolerance_(tolerance) {}

  /// Adds the residuals after this many iterations, in order.
  void add(int iteration, const ConeResiduals& residuals);

  /// Iterations that are still needed: 0 if residuals were within the tolerance, infinity without
  /// progress in the second half, or if only one iteration is known.
  double iterations_left() const;

 private:
  struct Point {
    int iteration;
    double best;  // logarithm of how far the best residuals are above the tolerance
  };

  double tolerance_;
  std::vector<Point> points_;
};

}  // namespace frictionbench::solvers
