/// \file
/// What the solvers that reduce the NCP to a sequence of convex problems share.
#pragma once

#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solvers/projected_gradient/inexact_minimization.hpp"

namespace frictionbench::solvers {

struct ConvexSequence {
  InnerSettings inner;
  Scaling scaling = Scaling::contacts;

  void describe(SettingFields& fields) {
    inner.describe(fields);
    describe_scaling(fields, scaling);
  }
};

/// Solves convex problems until the NCP residuals are within the tolerance. Iterations are those of
/// all convex problems together; `outer_iterations` reports the number of problems.
/// \param advance `advance(left, r, u)` solves one convex problem, or one of each kind, from
/// impulse
///        r in at most about `left` iterations, leaves the new impulse in r and W r + q in u, and
///        returns the iterations taken; 0 if it has ended the solve.
template <typename Advance>
void convex_sequence(Solve& solve, Advance&& advance) {
  Vector r = solve.start(), u;
  for (int outer = 1; solve.begin_iteration(); ++outer) {
    const int taken = advance(solve.most_iterations() - solve.iteration() + 1, r, u);
    if (taken == 0) return;
    solve.add_iterations(taken - 1);
    solve.report("outer_iterations", outer);
    if (solve.ends(r, u)) return;
  }
}

}  // namespace frictionbench::solvers
