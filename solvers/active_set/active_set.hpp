/// \file
/// Newton's method by active sets, for few contacts.
#pragma once

#include "frictionbench/linalg/dense_contacts.hpp"
#include "frictionbench/solver/solve.hpp"

namespace frictionbench::solvers {

/// Contacts up to which a Newton step costs no more than a few sweeps, so that there are more attempts.
constexpr Index very_few_contacts = 10;

/// describe() gives ranges.
struct ActiveSetSettings {
  int steps = 5;               ///< of Newton's method, from the start
  int steps_after_sweeps = 6;  ///< the same after sweeps

  void describe(SettingFields& fields);
};

/// Newton's method for Alart and Curnier's equation of the NCP (ContactFunction::alart_curnier), as
/// a method of active sets: with y = r - rho u and the unit vectors t along y_T and s across it, the
/// next r and u = W r + q satisfy in each contact
///
///     open      y_N <= 0                 r = 0
///     sticking  ||y_T|| <= mu y_N        u = 0
///     sliding   otherwise                u_N = 0,  r_T = mu r_N t + sigma s,
///                                        k s.u_T + (1 - k) / rho sigma = 0,  k = mu y_N / ||y_T||
///
/// so that a step is a dense linear system with 0, 3 and 2 unknowns per contact (in 2D 0, 2 and 1).
/// Full steps, no line search: it ends in a few of them or not at all.
///
/// rho_i is the inverse mean diagonal of W_ii. Steps that do not arrive are tried again from the
/// start with 4 rho, if there are at most very_few_contacts, and then after 2, 10 more and 20 more
/// sweeps of exact Gauss-Seidel. From zero it succeeds more often than after sweeps. A proximal
/// term of 1e-9 of the diagonal, which vanishes at the solution, keeps the matrix regular where
/// more contacts stick than W has rank for.
///
/// Refuses problems of more than few_contacts contacts.
void active_set_method(const ActiveSetSettings& settings, Solve& solve);

/// Its attempts from the start alone, without sweeps. \pre At most few_contacts contacts.
void active_sets_from_start(const ActiveSetSettings& settings, Solve& solve);

}  // namespace frictionbench::solvers
