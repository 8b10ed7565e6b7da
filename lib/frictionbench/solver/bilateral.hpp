/// \file
/// Bilateral rows for solvers that do not take them, or that are to be spared them.
#pragma once

#include "frictionbench/solver/solver.hpp"

namespace frictionbench {

class SettingFields;

/// Adds the setting `bilateral`, with `block` among its choices for solvers that take every set. One
/// that takes bilateral rows only has no choice, and no setting.
void describe_bilateral(SettingFields& fields, Bilateral& bilateral, const SolverInfo& info);

/// Whether the rows of `problem` that are not friction cones are all bilateral.
bool has_bilateral_rows_only(const ContactProblem& problem);

/// Solves a problem by a solver that is given what is left without its bilateral rows (Elimination).
/// The analysis and the factorisation are counted; the answer is the whole impulse, and `converged`
/// only if the whole problem is solved by it.
///
/// With Bilateral::proximal, step k eliminates the rows relaxed by eps > 0, whose velocities are
/// u_b + eps (l - l_k) = 0 with l_k the multipliers of the step before (Carpentier, Budhiraja,
/// Mansard, Proximal and sparse resolution of constrained dynamic equations, RSS 2021):
/// W_bb + eps I is regular where rows repeat each other, and u_b -> 0. Each step solves the contacts
/// again, from where the last one ended.
/// \param run as of Solver.
Result solve_without_bilateral_rows(const SolverInfo& info, const Solver::Run& run,
                                    const ContactProblem& problem, const Limits& limits,
                                    const Vector& start, Observer& observer, Result memory);

}  // namespace frictionbench
