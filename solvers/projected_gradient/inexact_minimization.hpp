/// \file
#pragma once

#include "frictionbench/solver/settings.hpp"
#include "frictionbench/solver/solver.hpp"
#include "frictionbench/solvers/projected_gradient/accelerated_gradient.hpp"

namespace frictionbench::solvers {

/// How well the convex problems inside a fixed-point iteration are solved.
struct InnerSettings {
  double reduction = 0.5;  ///< of the natural residual that the inner problem starts with
  int iterations = 1000;   ///< inner iterations after which the outer one goes on
  void describe(SettingFields& fields);
};

/// The convex problems that a fixed-point iteration poses one after the other, each minimised from
/// the last answer by accelerated projected gradient until its natural residual has fallen by a
/// factor. As the outer iteration converges each one starts closer to its solution, so the
/// tolerance decreases with it.
class InexactMinimization {
 public:
  InexactMinimization(const InnerSettings& settings, WorkCounters& work)
      : settings_(settings), work_(&work) {}

  /// Improves x (m), by one iteration at least and at most `left`. \returns the iterations taken.
  int run(const ConvexQuadratic& problem, int left, Vector& x);

  const Vector& gradient() const { return gradient_; }  ///< A x + b of the last answer

 private:
  InnerSettings settings_;
  WorkCounters* work_;
  double curvature_ = 0;  // L of the last problem: they share their matrix
  Vector gradient_;
};

}  // namespace frictionbench::solvers
