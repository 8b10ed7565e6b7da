/// \file
/// What the solvers that reduce the NCP to a sequence of convex problems share.
#pragma once

#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solvers/projected_gradient/accelerated_gradient.hpp"

namespace frictionbench::solvers {

/// How accurately the convex problems of a fixed-point iteration are solved.
struct InnerSettings {
  double reduction = 0.5;  ///< of the natural residual, in (0, 1)
  int iterations = 1000;   ///< inner iterations after which the outer iteration continues anyway
  void describe(SettingFields& fields);
};

/// Minimises the successive convex problems of a fixed-point iteration, each from the previous
/// answer by accelerated projected gradient until its natural residual has fallen by a factor. As
/// the outer iteration converges, each starts closer to its solution, so the tolerance tightens
/// with it.
class InexactMinimization {
 public:
  /// The solve must outlive it.
  InexactMinimization(const InnerSettings& settings, Solve& solve)
      : settings_(settings), solve_(solve) {}

  /// Improves x (m) by one to `left` iterations, fewer when time is up. \returns their number.
  int run(const ConvexQuadratic& problem, int left, Vector& x);

  const Vector& gradient() const { return gradient_; }  ///< A x + b of the last answer

 private:
  InnerSettings settings_;
  Solve& solve_;
  double curvature_ = 0;  // L of the last problem, which has the same matrix
  Vector gradient_;
};

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
