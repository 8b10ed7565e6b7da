/// \file
#pragma once

#include "frictionbench/math/types.hpp"

namespace frictionbench::solvers {

/// A curve near a point of it, y(a) = y(0) + sum_k c_k a^k with k = 1 .. n, as a Padé approximant: a
/// rational function of a with one denominator for all components and the same first derivatives.
/// It is good for longer steps than the sum, which diverges beyond the nearest singularity in the
/// complex plane. [Cochelin 1994; Elhage-Hussein, Potier-Ferry, Damil, Int. J. Solids Structures 37,
/// 2000]
class PathSeries {
 public:
  /// \param terms c_k in column k - 1, at least two. \param scaled the same in coordinates in which
  /// lengths have a meaning: of the possible denominators, the one is taken for which the remainder
  /// of order n is shortest in them.
  PathSeries(Matrix terms, const Matrix& scaled);

  double radius() const { return radius_; }  ///< of convergence of the sum, an estimate

  Vector value(double a) const;       ///< y(a) - y(0)
  Vector derivative(double a) const;  ///< y'(a)

 private:
  struct Weights {
    Vector values, derivatives;  // n
  };
  Weights weights(double t) const;

  double radius_;
  Matrix terms_;        // c_k radius^k: those of t = a / radius
  Vector denominator_;  // coefficients of 1, t, .. t^(n - 1)
};

}  // namespace frictionbench::solvers
