/// \file
#pragma once

#include <cstdint>

namespace frictionbench {

/// Machine-independent measures of work, counted where the work is done. Equal on every machine
/// for the same iterates, so CI can gate on them; times cannot be compared that way.
struct WorkCounters {
  std::int64_t factorizations = 0;  ///< numeric factorisations (Cholesky, LU), the first included
  std::int64_t analyses = 0;        ///< symbolic analyses (orderings); 0 for dense factorisations
  std::int64_t triangular_solves = 0;  ///< solves with a factorisation, two sweeps each
  std::int64_t products = 0;           ///< products with W
  std::int64_t sweeps = 0;             ///< Gauss-Seidel or Jacobi sweeps over all contacts
  std::int64_t pivots = 0;             ///< pivots of pivoting methods
  std::int64_t line_search = 0;        ///< evaluations of a line search

  friend bool operator==(const WorkCounters&, const WorkCounters&) = default;

  /// For a solver that calls another.
  WorkCounters& operator+=(const WorkCounters& other) {
    factorizations += other.factorizations;
    analyses += other.analyses;
    triangular_solves += other.triangular_solves;
    products += other.products;
    sweeps += other.sweeps;
    pivots += other.pivots;
    line_search += other.line_search;
    return *this;
  }
};

}  // namespace frictionbench
