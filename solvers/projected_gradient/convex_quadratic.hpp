/// \file
#pragma once

#include <functional>

#include "frictionbench/linalg/delassus_operator.hpp"

namespace frictionbench::solvers {

/// The problem that projected gradient methods solve,
///
///     min  f(x) = x.A x / 2 + x.b      over a closed convex set C,
///
/// A positive semi-definite. With a slightly asymmetric A, what they find is x in C with
/// (A x + b).(y - x) >= 0 for all y in C, which for a symmetric A is the minimum.
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

/// x -> W x + q. Problem and operator must outlive it.
std::function<Vector(const Vector&)> contact_velocity(const ContactProblem& problem,
                                                      const DelassusOperator& W);

/// The CCP: A = W, b = q, C the friction cones. Problem and operator must outlive it.
ConvexQuadratic cone_problem(const ContactProblem& problem, const DelassusOperator& W);

}  // namespace frictionbench::solvers
