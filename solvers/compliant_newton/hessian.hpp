/// \file
#pragma once

#include <optional>

#include "frictionbench/linalg/shifted_cholesky.hpp"

namespace frictionbench::solvers {

/// The Cholesky factorisation of a matrix whose values change and whose pattern does not.
class Hessian {
 public:
  /// `work` must outlive it.
  explicit Hessian(WorkCounters& work) : work_(&work) {}

  /// Factors this matrix; analyses its pattern the first time.
  /// \param matrix symmetric, of the same pattern each time, explicit zeros included.
  /// \returns false if it is not positive definite to rounding.
  [[nodiscard]] bool factorize(const SparseMatrix& matrix);

  void solve_in_place(Vector& x) { factor_->solve_in_place(x); }

  /// Largest by smallest eigenvalue of the matrix factored last, from all of them.
  double condition() const;

 private:
  WorkCounters* work_;
  std::optional<ShiftedCholesky> factor_;
  SparseMatrix matrix_;
};

}  // namespace frictionbench::solvers
