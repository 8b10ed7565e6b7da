/// \file
#pragma once

#include "frictionbench/solver/settings.hpp"
#include "frictionbench/solvers/projected_gradient/accelerated_gradient.hpp"

namespace frictionbench::solvers {

/// How accurately the convex problems of a fixed-point iteration are solved.
struct InnerSettings {
  double reduction = 0.5;  ///< of the natural residual, in (0, 1)
  int iterations = 1000;   ///< inner iterations after which the outer iteration continues anyway
  void describe(SettingFields& fields);
};

/// Minimises the successive convex problems of a fixed-point iteration, each from the previous
/// answer by accelerated projected gradient until its natural residual has fallen by a factor. As
/// the outer iteration converges, each starts closer to its solution, so the tolerance tightens
/// with it.
class InexactMinimization {
 public:
  InexactMinimization(const InnerSettings& settings, TrialSteps trials)
      : settings_(settings), trials_(trials) {}

  /// Improves x (m) by one to `left` iterations. \returns their number.
  int run(const ConvexQuadratic& problem, int left, Vector& x);

  const Vector& gradient() const { return gradient_; }  ///< A x + b of the last answer

 private:
  InnerSettings settings_;
  TrialSteps trials_;
  double curvature_ = 0;  // L of the last problem, which has the same matrix
  Vector gradient_;
};

}  // namespace frictionbench::solvers
