/// \file
/// Reduction of a global problem to its local form.
#pragma once

#include <functional>

#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench {

/// The local form of a global problem, and the factorised M that made it.
struct Reduction {
  LocalForm local;                                  ///< W = H^T M^-1 H, q = H^T M^-1 f + w
  std::function<Vector(const Vector&)> solve_mass;  ///< x = M^-1 b, n
};

/// Factors M by a sparse Cholesky if it is symmetric to round-off, else by a sparse LU: iteration
/// matrices of real files carry gyroscopic terms, and dropping them would solve another problem.
/// \throws InvalidProblem if M is singular.
Reduction reduce(const GlobalForm& form);

}  // namespace frictionbench
