/// \file
#pragma once

#include "frictionbench/linalg/counted.hpp"
#include "frictionbench/solvers/projected_gradient/convex_quadratic.hpp"

namespace frictionbench::solvers {

/// Nesterov's accelerated projected gradient method with backtracking and adaptive restart, as
/// Mazhar, Heyn, Negrut and Tasora use it for contact (ACM Trans. Graph. 34, 2015, Algorithm APGD).
///
/// A step, from the point x, the extrapolated point y, theta (1 at first) and the estimate L of the
/// largest eigenvalue of A, with g = A y + b:
///
///     x+ = P_C(y - g / L);     while f(x+) > f(y) + g.(x+ - y) + L ||x+ - y||^2 / 2:  L <- 2 L
///     theta+ = (-theta^2 + theta sqrt(theta^2 + 4)) / 2
///     y+ = x+ + theta (1 - theta) / (theta^2 + theta+) (x+ - x)
///     if g.(x+ - x) > 0:  y+ = x+, theta+ = 1
///     L <- 0.9 L
///
/// The first L is || A (x - 1) || / || x - 1 ||, as in the paper.
///
/// Deviations from the paper; neither changes an iterate except by rounding if A is symmetric:
/// 1. The test on L is written d.A d > L d.d with d = x+ - y. For a quadratic it is the same, but
///    it does not subtract nearly equal costs, and it allows an A that is not symmetric.
/// 2. A y is combined from A x+ and A x, which the test and the residuals need anyway, so that a
///    step without backtracking takes one product instead of three or four.
class AcceleratedGradient {
 public:
  /// Two products, or one with a known L. \param start m, projected on C first.
  /// \param trials counts the steps that were too long. \param curvature the first L; 0: estimated.
  /// The problem must outlive it.
  AcceleratedGradient(const ConvexQuadratic& problem, const Vector& start, TrialSteps trials,
                      double curvature = 0);

  void step();

  const Vector& x() const { return x_; }
  const Vector& gradient() const { return gradient_; }  ///< A x + b at x()
  double curvature() const { return curvature_; }       ///< L

 private:
  const ConvexQuadratic* problem_;
  TrialSteps trials_;
  Vector x_, gradient_;
  Vector y_, y_gradient_;
  double theta_ = 1;
  double curvature_;
};

}  // namespace frictionbench::solvers
