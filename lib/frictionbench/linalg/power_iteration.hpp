/// \file
#pragma once

#include <cmath>

#include "frictionbench/math/types.hpp"

namespace frictionbench {

/// The largest eigenvalue of a symmetric, positive semi-definite n x n matrix A by power iteration,
/// an estimate from below. It starts from the same x each time, one without a symmetry that A may
/// share, so that every run counts the same.
/// \param times `times(x)` is A x; called `iterations` times. \returns 0 for A = 0.
template <typename Times>
double power_iteration(Index n, int iterations, Times&& times) {
  Vector x(n);
  for (Index k = 0; k < n; ++k) x[k] = 1.0 + 0.5 * std::sin(static_cast<double>(k + 1));
  x.normalize();

  double eigenvalue = 0;
  for (int k = 0; k < iterations; ++k) {
    const Vector Ax = times(x);
    eigenvalue = x.dot(Ax);
    const double norm = Ax.norm();
    if (norm == 0) return 0;
    x = Ax / norm;
  }
  return eigenvalue;
}

}  // namespace frictionbench
