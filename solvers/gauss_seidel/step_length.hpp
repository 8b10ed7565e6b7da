/// \file
/// The length of a projected step on one block.
#pragma once

#include "frictionbench/math/types.hpp"

namespace frictionbench::solvers {

/// t of r_i <- P(r_i - t u_i): the inverse of the mean eigenvalue of W_ii, d / trace(W_ii), as in [LeLidec24]
/// Alg. 2. Where that would oscillate, it is the inverse of the largest: W_NN of a contact without
/// friction; and in problems with blocks of other sets, whose rows mix metres and radians, that of the
/// symmetric part of W_ii. 0 if nothing moves the block. \param W any sweeps.
template <typename Sweeps>
double step_length(const Sweeps& W, Index i) {
  const auto inverse = [](double x) { return x > 0 ? 1 / x : 0; };
  if constexpr (requires { W.set(i); }) {
    return inverse(W.stiffness(i));
  } else {
    const auto& W_ii = W.W(i);
    const double trace = W_ii.trace();
    if (W.mu(i) == 0) return inverse(W_ii(0, 0));
    return trace > 0 ? static_cast<double>(W_ii.rows()) / trace : 0;
  }
}

}  // namespace frictionbench::solvers
