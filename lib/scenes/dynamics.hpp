/// \file
/// From a world to its contact problem, and from an impulse to the next world.
#pragma once

#include <stdexcept>
#include <vector>

#include "frictionbench/problem/contact_problem.hpp"
#include "frictionbench/scenes/contacts.hpp"
#include "frictionbench/solver/solver.hpp"

namespace frictionbench::scenes {

/// A step that the simulation has become too unstable to make.
class UnstableStep : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The contact problem of one step of the semi-implicit Euler scheme,
///
///     M (v+ - v) = h (m g + push - drag - gyroscopic term) + H r,   u = H^T v+ + w,
///
/// with v+ the velocity at the end of the step and r the impulses over it (N s).
///
///   M  n x n, block diagonal, m I and the inertia in the world frame for every body
///   H  n x m, the transposed contact Jacobian: +C on body a, -C on b, and the lever arms
///   f  M v (1 - h c) + h (m g + F, T - ω x I ω): momentum after a step without contacts. The
///      gyroscopic term and springs are explicit, evaluated at the old velocity and position.
///   w  w_N = max(gap, 0) / h, w_T = 0: u_N >= 0 then means that the gap after the step is not
///      negative, so a contact may be listed before it touches. Overlap is not corrected: the
///      problem has no stabilisation velocity (Baumgarte).
GlobalForm global_form(const World& world, const std::vector<Contact>& contacts);

/// Inverse of M, block by block.
SparseMatrix inverse_mass(const World& world);

/// W = H^T M^-1 H and q = H^T M^-1 f + w from the inverted blocks of M. Equal to the general
/// reduction ContactProblem::local() up to rounding, but W is exactly symmetric, and the result
/// does not depend on the BLAS of the machine.
LocalForm local_form(const World& world, const std::vector<Contact>& contacts);

/// The problem of the time step, in the form that the name says.
///@{
ContactProblem global_problem(const World& world, const std::vector<Contact>& contacts);
ContactProblem local_problem(const World& world, const std::vector<Contact>& contacts);
///@}

/// Moves the bodies by one step with v (n), the velocity at its end: x += h v, and each body is
/// rotated by the Cayley map of h ω. With a `share` of less than 1, by share v + (1 - share) v_0, v_0 being
/// the velocity before. Pushes and torques grow by what a step makes of their growth.
/// \throws UnstableStep, without having moved anything, if a body would turn more than once in the
///         step, or its velocity is not finite: the gyroscopic term is explicit, and unstable where a step
///         does not resolve the rotation.
void advance(World& world, const Vector& v, double share = 1);

/// One time step: detects contacts, calls `solver` for the impulse, and moves the bodies.
/// \returns the solver's result, unverified.
Result step(World& world, const Solver& solver, const Limits& limits);

}  // namespace frictionbench::scenes
