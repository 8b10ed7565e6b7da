/// \file
/// The conditions on one block as an equation.
#pragma once

#include "frictionbench/sets/constraint_set.hpp"

namespace frictionbench {

/// F(r, u) = r - P_C(r - rho û), û = u + Γ(u): 0 if and only if -û is in the normal cone of C at r. With
/// dF = by_velocity du + by_impulse dr, an element of the generalised Jacobian.
struct NaturalMap {
  BlockVector value;        ///< F, an impulse
  BlockMatrix by_velocity;  ///< impulse per velocity
  BlockMatrix by_impulse;   ///< a number

  /// \param rho impulse per velocity, > 0.
  NaturalMap(const ConstraintSet& set, double rho, const BlockVector& r, const BlockVector& u) {
    const BlockVector y = r - rho * set.corrected(u);
    const BlockMatrix P = set.projection_jacobian(y);
    value = r - set.project(y);
    by_velocity = rho * P;
    by_velocity += rho * P.col(0) * set.correction_gradient(u, r).transpose();
    by_impulse = BlockMatrix::Identity(r.size(), r.size()) - P;
  }
};

}  // namespace frictionbench
