/// \file
/// Cholesky factorisation of A + shift I, analysed once, refactored for every shift.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "frictionbench/linalg/work_counters.hpp"
#include "frictionbench/math/types.hpp"

namespace frictionbench {

enum class CholeskyBackend {
  dense,       ///< Eigen LLT
  simplicial,  ///< CHOLMOD, row by row: very sparse factors
  supernodal,  ///< CHOLMOD on dense panels through BLAS: filled factors
};
std::string_view name(CholeskyBackend backend);

/// The one rule for the choice, by size and density, as measured by tests/benchmarks/bench_cholesky.cpp.
/// \param size rows; \param nonzeros stored entries.
CholeskyBackend choose_cholesky_backend(Index size, Index nonzeros);

/// L L^T = A + shift I for a symmetric A and changing shifts.
class ShiftedCholesky {
 public:
  /// Copies A (symmetric, both triangles stored) and analyses its pattern if the backend is sparse
  /// (counted in `work.analyses`). `work` must outlive this object.
  ShiftedCholesky(const SparseMatrix& A, WorkCounters& work,
                  std::optional<CholeskyBackend> backend = std::nullopt);
  ~ShiftedCholesky();
  ShiftedCholesky(ShiftedCholesky&&) noexcept;
  ShiftedCholesky& operator=(ShiftedCholesky&&) noexcept;

  /// Factors A + shift I (counted in `work.factorizations`).
  /// \returns false if that matrix is not positive definite; solve() must not be called then.
  [[nodiscard]] bool factorize(double shift);

  /// x := (A + shift I)^-1 x (counted in `work.triangular_solves`).
  void solve_in_place(Vector& x);

  CholeskyBackend backend() const { return backend_; }

  class Factor;  // one per backend, in the .cpp

 private:
  CholeskyBackend backend_;
  WorkCounters* work_;
  std::unique_ptr<Factor> factor_;
};

}  // namespace frictionbench
