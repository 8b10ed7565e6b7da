/// \file
/// Anderson acceleration of a fixed-point iteration x <- T(x).
#pragma once

#include <optional>

#include "frictionbench/math/types.hpp"

namespace frictionbench {

/// Keeps the latest differences of iterates x_k and of their residuals g_k = T(x_k) - x_k, and
/// extrapolates from them. With X and G the matrices of these differences,
///
///     x^AA = x + g - (X + G) gamma,
///     type II:  gamma = (G^T M G)^-1 G^T M g    (least squares for || g - G gamma ||_M)
///     type I:   gamma = (X^T M G)^-1 X^T M g    (a Broyden update of the Jacobian itself)
///
/// in the inner product of a diagonal metric M. Walker and Ni, SIAM J. Numer. Anal. 49 (2011);
/// types as in Fang and Saad (2009). There are no safeguards here; they are left to the caller.
class AndersonAcceleration {
 public:
  /// The formula for gamma.
  enum class Type { one, two };

  /// \param memory number of pairs of differences kept; 0 switches extrapolation off.
  AndersonAcceleration(int memory, Type type) : memory_(memory), type_(type) {}

  /// Forgets everything, because T has changed. \param metric diagonal of M, length of x, all > 0.
  void reset(const Vector& metric);

  /// Forgets the iterates and keeps the metric.
  void restart();

  /// Remembers x and g = T(x) - x. \returns x^AA; nothing after the first iterate, or if the small
  /// system has no finite solution.
  std::optional<Vector> extrapolate(const Vector& x, const Vector& g);

 private:
  void remember(const Vector& x, const Vector& g);

  int memory_;
  Type type_;
  Vector metric_;
  Matrix X_, G_;   // m x memory; columns [0, used_) are in use
  Matrix normal_;  // A^T M G with A = X (type I) or G (type II)
  Index used_ = 0;
  Index next_ = 0;  // the column that the next difference overwrites
  Vector last_x_, last_g_;
};

}  // namespace frictionbench
