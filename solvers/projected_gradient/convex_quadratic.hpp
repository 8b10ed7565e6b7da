/// \file
#pragma once

#include <functional>

#include "frictionbench/solver/solve.hpp"

namespace frictionbench::solvers {

/// The problem that projected gradient methods solve,
///
///     min  f(x) = x.A x / 2 + x.b      over a closed convex set C,
///
/// A positive semi-definite. For a slightly asymmetric A they find the x in C with
/// (A x + b).(y - x) >= 0 for all y in C, which is the minimum if A is symmetric.
struct ConvexQuadratic {
  std::function<Vector(const Vector&)> gradient;  ///< A x + b; counts its product
  std::function<void(Vector&)> project;           ///< on C, Euclidean, in place

  /// || x - P_C(x - g) ||_2 with g = A x + b: zero at solutions only.
  double natural_residual(const Vector& x, const Vector& g) const {
    Vector moved = x - g;
    project(moved);
    return (x - moved).norm();
  }
};

/// x -> W x + q, by contact. The solve must outlive it.
inline std::function<Vector(const Vector&)> contact_velocity(const Solve& solve) {
  return with_dimension(
      solve.problem().dimension(), [&](auto dim) -> std::function<Vector(const Vector&)> {
        return [W = solve.sweeps<dim()>()](const Vector& x) { return W.velocity(x); };
      });
}

/// The CCP: A = W, b = q, C the friction cones. The solve must outlive it.
inline ConvexQuadratic cone_problem(const Solve& solve) {
  return {contact_velocity(solve), [&solve](Vector& x) { x = solve.projected(std::move(x)); }};
}

}  // namespace frictionbench::solvers
