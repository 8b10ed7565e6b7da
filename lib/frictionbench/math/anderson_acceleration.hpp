/// \file
/// Anderson acceleration of a fixed-point iteration x <- T(x).
#pragma once

#include <optional>

#include "frictionbench/math/types.hpp"

namespace frictionbench {

/// Keeps the last differences of iterates x_k and of their residuals g_k = T(x_k) - x_k, and
/// extrapolates: with X and G the matrices of those differences,
///
///     x^AA = x + g - (X + G) gamma,
///     type II:  gamma = (G^T M G)^-1 G^T M g    (least squares for || g - G gamma ||_M)
///     type I:   gamma = (X^T M G)^-1 X^T M g    (a Broyden update of the Jacobian itself)
///
/// in the inner product of a diagonal metric M. Walker and Ni, SIAM J. Numer. Anal. 49 (2011);
/// types as in Fang and Saad (2009). Safeguards are the caller's.
class AndersonAcceleration {
 public:
  enum class Type { one, two };

  /// \param memory pairs of differences kept; with 0 there is never anything to combine.
  AndersonAcceleration(int memory, Type type) : memory_(memory), type_(type) {}

  /// Forgets everything: T has changed. \param metric diagonal of M, all > 0, length of x.
  void reset(const Vector& metric);

  /// Forgets iterates; the metric stays.
  void restart();

  /// Takes in x and g = T(x) - x, and \returns x^AA, or nothing while there is nothing to combine
  /// and when the small system has no finite solution.
  std::optional<Vector> extrapolate(const Vector& x, const Vector& g);

 private:
  void remember(const Vector& x, const Vector& g);

  int memory_;
  Type type_;
  Vector metric_;
  Matrix X_, G_;   // m x memory, columns in use are [0, used_)
  Matrix normal_;  // A^T M G with A = X (type I) or G (type II)
  Index used_ = 0;
  Index next_ = 0;  // column that the next difference overwrites
  Vector last_x_, last_g_;
};

}  // namespace frictionbench
