/// \file
/// The problem of one block with the impulses of all others held.
#pragma once

#include "frictionbench/linalg/block_sweeps.hpp"
#include "frictionbench/linalg/contact_sweeps.hpp"
#include "frictionbench/math/one_contact.hpp"

namespace frictionbench::solvers {

/// r_i with -(u + Γ(u)) in the normal cone of C_i at r_i, u = W_ii r_i + free: in closed form where the
/// set has one (ConstraintSet::solve_alone), else by Newton's method on the natural map
///
///     F(r) = r - P_C(r - rho û(r)) = 0,     rho = 1 / largest eigenvalue of W_ii
///
/// from `start`, with a step of the projected gradient wherever Newton's does not lower ||F||, until
/// ||F|| is round-off, at most 50 times. \param W W_ii. \param stiffness that eigenvalue.
/// \param free velocity without its own impulse.
BlockVector solve_alone(const ConstraintSet& set, const BlockMatrix& W, double stiffness,
                        const BlockVector& free, const BlockVector& start);

/// The new impulse of block i, from the newest impulses r (m) of all.
/// \param W any sweeps: ContactSweeps, BlockSweeps or BodySweeps.
template <typename Sweeps>
typename Sweeps::Segment solve_alone(const Sweeps& W, Index i, const Vector& r) {
  if constexpr (requires { W.set(i); })
    return solve_alone(W.set(i), W.W(i), W.stiffness(i), W.free_velocity(i, r), W.of(r, i));
  else
    return solve_one_contact(W.W(i), W.free_velocity(i, r), W.mu(i));
}

}  // namespace frictionbench::solvers
