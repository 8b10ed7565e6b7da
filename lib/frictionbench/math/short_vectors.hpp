/// \file
/// Sums over the few entries of a contact's vector, normal first, one entry after the other.
///
/// Eigen computes with three entries in a packet of two and one left over. Where single entries were just
/// written, a packet that spans them waits until they are in memory: projections on a cone, and residuals,
/// take twice as long that way. Sums of up to three entries are the same to the last bit.
#pragma once

#include <cmath>

#include "frictionbench/math/types.hpp"

namespace frictionbench {

/// x.y over the entries from `first` on. \param x, y Eigen vectors, or expressions, of the same length.
template <typename X, typename Y>
double dot_from(Index first, const X& x, const Y& y) {
  double sum = 0;
  for (Index k = first; k < x.size(); ++k) sum += x[k] * y[k];
  return sum;
}

template <typename X, typename Y>
double short_dot(const X& x, const Y& y) {  ///< x.y
  return dot_from(0, x, y);
}
template <typename X>
double short_norm(const X& x) {  ///< ||x||
  return std::sqrt(short_dot(x, x));
}

template <typename X, typename Y>
double tangent_dot(const X& x, const Y& y) {  ///< x_T.y_T
  return dot_from(1, x, y);
}
template <typename X>
double tangent_norm(const X& x) {  ///< ||x_T||
  return std::sqrt(tangent_dot(x, x));
}

}  // namespace frictionbench
