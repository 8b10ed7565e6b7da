/// \file
#pragma once

#include "frictionbench/solver/settings.hpp"
#include "frictionbench/solvers/projected_gradient/accelerated_gradient.hpp"

namespace frictionbench::solvers {

/// How well the convex problems inside a fixed-point iteration are solved.
struct InnerSettings {
  double reduction =
      0.5;                ///< of the natural residual that the inner problem starts with, in (0, 1)
  int iterations = 1000;  ///< largest number of inner iterations in an outer one
  void describe(SettingFields& fields);
};

/// The convex problems that a fixed-point iteration poses one after the other, each minimised from
/// the last answer by accelerated projected gradient until its natural residual has fallen by a
/// factor. As the outer iteration converges each one starts closer to its solution, so the
/// tolerance decreases with it.
class InexactMinimization {
 public:
  InexactMinimization(const InnerSettings& settings, TrialSteps trials)
      : settings_(settings), trials_(trials) {}

  /// Improves x (m), by one iteration at least and at most `left`. \returns the iterations taken.
  int run(const ConvexQuadratic& problem, int left, Vector& x);

  const Vector& gradient() const { return gradient_; }  ///< A x + b of the last answer

 private:
  InnerSettings settings_;
  TrialSteps trials_;
  double curvature_ = 0;  // L of the last problem: they share their matrix
  Vector gradient_;
};

}  // namespace frictionbench::solvers
