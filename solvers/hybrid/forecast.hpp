/// \file
/// How much longer an iteration will take, judged by the residuals that it has shown so far.
#pragma once

#include <limits>
#include <vector>

#include "frictionbench/criteria/verdict.hpp"

namespace frictionbench::solvers {

/// Assumes that the best residuals keep falling as they have since half as many iterations: residuals
/// of sweeps and of ADMM rise and fall, and slow down, so neither the last few nor all of them say as
/// much.
class Forecast {
 public:
  explicit Forecast(double tolerance) : tolerance_(tolerance) {}

  /// The residuals after so many iterations, to be told in order.
  void add(int iteration, const ConeResiduals& residuals);

  /// Iterations that are still needed: 0 where residuals have been within the tolerance, infinity
  /// where nothing improved since half way, or only one iteration is known.
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
