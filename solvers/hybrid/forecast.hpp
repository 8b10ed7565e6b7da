/// \file
/// How much longer an iteration will take, judged by the residuals that it has shown so far.
#pragma once

#include <limits>
#include <vector>

#include "frictionbench/solver/solver.hpp"

namespace frictionbench::solvers {

/// Takes for granted that the best residuals go on to fall as they have since half as many
/// iterations: residuals of sweeps and of ADMM rise and fall, and slow down, so that neither the
/// last few nor all of them say as much.
class Forecast {
 public:
  explicit Forecast(const Tolerances& tolerances) : tolerances_(tolerances) {}

  /// The residuals after so many iterations, to be told in order.
  void add(int iteration, const ConeResiduals& residuals);

  /// Iterations that are still needed: 0 where residuals have been within the tolerances, infinity
  /// where nothing got better since half way, or only one iteration is known.
  double iterations_left() const;

 private:
  struct Point {
    int iteration;
    double best;  // logarithm of how far the best residuals are above the tolerances
  };

  Tolerances tolerances_;
  std::vector<Point> points_;
};

}  // namespace frictionbench::solvers
