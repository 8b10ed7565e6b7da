/// \file
#pragma once

#include <vector>

#include "frictionbench/solvers/admm/penalty.hpp"
#include "frictionbench/solvers/projected_gradient/convex_quadratic.hpp"

namespace frictionbench::solvers {

/// Minimises x.W x / 2 + x.q over a convex set in some components of x, while the others stay, by
/// the ADMM of [LeLidec24] Alg. 3 as [Carpentier24] (37)-(46) state it, with s = 0:
///
///     f <- y - (A + (eta + rho) I)^-1 (u - z + eta (y - f)),     u = W y + q,  y <- P(f - z / rho),
///     z <- z - rho (f - y)
///
/// where A is the symmetric part of W in these components. The right-hand side is that of (37)
/// written with u, so that an asymmetric part of W is carried along. rho follows (46), with the
/// settings of AdmmSettings::rss2024(). Multipliers, rho and the factor are kept for the next
/// problem, which has the same W.
class AdmmMinimization {
 public:
  /// \param components of x, increasing. \param most_iterations for each problem.
  /// The solve must outlive it.
  AdmmMinimization(Solve& solve, std::vector<Index> components, int most_iterations);

  /// Improves x (m) by one to `left` iterations, until (40) and (41), contact by contact, are
  /// within a tenth of the tolerance of the solve; (42) is for cones.
  /// \returns their number; 0 if W + rho I cannot be factored, which has ended the solve.
  int run(const ConvexQuadratic& problem, int left, Vector& x);

  const Vector& gradient() const { return gradient_; }  ///< W x + q of the last answer

 private:
  bool factorize();

  Solve& solve_;
  std::vector<Index> components_;
  int most_iterations_;
  AdmmSettings settings_ = AdmmSettings::rss2024();
  SparseMatrix A_;
  ShiftedCholesky cholesky_;
  Penalty penalty_;
  bool is_factored_ = false;
  Vector z_;  // m, zero in the other components
  Vector gradient_;
};

}  // namespace frictionbench::solvers
