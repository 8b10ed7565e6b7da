/// \file
/// The loop of the solvers that reach the NCP through a sequence of convex problems.
#pragma once

#include "frictionbench/solver/solver.hpp"
#include "frictionbench/solver/stopping.hpp"

namespace frictionbench::solvers {

/// Poses and solves convex problems until the NCP residuals are within the tolerances.
/// `result.iterations` are those of all convex problems together, which is what the limit is on;
/// the claim `outer_iterations` says how many problems there were. \param advance `advance(left, r,
/// u)` solves one convex problem, or one of each kind, from
///        impulse r in at most about `left` iterations, leaves the new impulse in r and W r + q in
///        u, and returns the iterations taken; 0 if it failed and said so in `result`.
/// \param result where the work is counted; r is the start.
template <typename Advance>
void fixed_point(const ContactProblem& problem, const Limits& limits, Observer& observer,
                 Result& result, Advance&& advance) {
  observer.setup_finished();
  Vector u;
  for (int outer = 1; result.iterations < limits.max_iterations; ++outer) {
    const int taken = advance(limits.max_iterations - result.iterations, result.r, u);
    if (taken == 0) return;
    result.iterations += taken;
    const ConeResiduals residuals = cone_residuals(ContactModel::ncp, problem, result.r, u);
    observer.iterated({result.iterations, residuals});
    result.claimed["outer_iterations"] = outer;
    if (stop_on_residuals(residuals, limits, result)) return;
  }
  stop_at_iteration_limit(limits, result);
}

}  // namespace frictionbench::solvers
