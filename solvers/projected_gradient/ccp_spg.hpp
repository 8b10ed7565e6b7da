/// \file
#pragma once

#include "frictionbench/linalg/counted.hpp"
#include "frictionbench/math/recent_values.hpp"
#include "frictionbench/solvers/projected_gradient/convex_quadratic.hpp"

namespace frictionbench::solvers {

/// Spectral projected gradient with a non-monotone line search (Birgin, Martinez, Raydan, SIAM J.
/// Optim. 10, 2000), as Heyn, Anitescu, Tasora and Negrut use it for contact (Int. J. Numer.
/// Methods Eng. 95, 2013).
///
/// A step, from the point x with g = A x + b and the spectral step alpha:
///
///     d = P_C(x - alpha g) - x
///     lambda = 1;  while f(x + lambda d) > max of the last f + 1e-4 lambda g.d:  shorten lambda
///     x+ = x + lambda d,     s = x+ - x,     y = A s
///     alpha+ = s.s / s.y and s.y / y.y in turn (Barzilai and Borwein's two)
///
/// lambda becomes the minimiser of f along d, kept within 0.1 and 0.9 of what it was. The first
/// alpha is 1 / || P_C(x - g) - x ||_inf. If A has no curvature along s, alpha is kept.
///
/// f is summed from the steps, each of which contributes lambda g.d + lambda^2 d.A d / 2. For a
/// symmetric A this is the same but avoids the rounding of nearly equal costs; for an asymmetric A,
/// for which no cost exists, it still measures descent.
///
/// Chrono's ChSolverBB looks the same but compares with a constant 1e30, so that its line search
/// never takes effect; that is `memory = 0` here.
class SpectralGradient {
 public:
  struct Settings {
    int memory = 10;         ///< values of f that the line search compares with; 0: no line search
    int max_backtracks = 3;  ///< after which a step is accepted
  };

  /// One product. \param start m, projected on C first.
  /// \param trials counts shortened steps. The problem must outlive it.
  SpectralGradient(const ConvexQuadratic& problem, const Vector& start, TrialSteps trials,
                   const Settings& settings);

  /// One product.
  void step();

  const Vector& x() const { return x_; }
  const Vector& gradient() const { return gradient_; }  ///< A x + b at x()

 private:
  void choose_step(const Vector& s, const Vector& y);

  const ConvexQuadratic* problem_;
  TrialSteps trials_;
  Settings settings_;
  Vector x_, gradient_;
  double alpha_ = 1;
  bool long_step_next_ = true;  // which of the two Barzilai-Borwein steps is due
  RecentValues costs_;          // f, relative to the start
};

}  // namespace frictionbench::solvers
