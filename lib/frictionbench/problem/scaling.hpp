/// \file
/// Equilibration of a problem: one factor per contact, velocities scaled to size 1.
#pragma once

#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench {

/// Positive factors d_i of the contacts, or blocks, and a velocity c > 0:
/// r = c D r', u = c D^-1 u'. They leave the NCP, the CCP and the LCP unchanged (see ContactProblem::scaled).
struct ContactScaling {
  Vector contact;       ///< d_i, n_b: of contacts or other blocks
  Vector row;           ///< the same for every row of a block, m
  double velocity = 1;  ///< c

  /// d_i = (trace(W_ii) / dim)^-1/2, so that the diagonal blocks of W' have mean 1 (Jacobi
  /// equilibration, one factor per contact), and c = ||D q||_inf, so that ||q'||_inf = 1. A contact
  /// with a zero block is treated as the stiffest of the others; c = 1 where q is zero.
  static ContactScaling equilibrated(const ContactProblem& problem);

  /// The problem in these units.
  ContactProblem apply(const ContactProblem& problem) const {
    return problem.scaled(contact, velocity);
  }
  /// r = c D r' and u = c D^-1 u', by contact: n_b each.
  Vector impulse_units() const { return velocity * contact; }
  Vector velocity_units() const { return velocity * contact.cwiseInverse(); }  ///< c / d_i

  Vector impulse_to_scaled(const Vector& r) const;    ///< r' = D^-1 r / c. \param r m
  Vector impulse_to_original(const Vector& r) const;  ///< r = c D r'. \param r m
};

}  // namespace frictionbench
