/// \file
/// Cholesky factorisation of a symmetric matrix plus a diagonal, or diagonal blocks, analysed once,
/// refactored for each of them.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "frictionbench/linalg/block_diagonal.hpp"
#include "frictionbench/linalg/work_counters.hpp"
#include "frictionbench/math/types.hpp"
#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench {

enum class CholeskyBackend {
  dense,       ///< Eigen LLT
  simplicial,  ///< CHOLMOD, row by row: very sparse factors
  supernodal,  ///< CHOLMOD on dense panels through BLAS: filled factors
  dual,        ///< CHOLMOD on the n x n matrix M + H D^-1 H^T of a global form (Woodbury)
};
std::string_view name(CholeskyBackend backend);

/// The one rule for the choice, measured by tests/benchmarks/bench_cholesky.cpp. Size and density
/// of A do not decide it: two matrices of 1200 rows and density 0.04 differ by a factor 30 in cost.
/// What the analysis finds out does: how far the factor fills in, and how much work there is for an
/// entry of it.
struct CholeskyRule {
  /// A factor with more than this share of its triangle filled, and at most `largest_dense` rows,
  /// is faster dense. A matrix that is so dense itself is not even analysed.
  double filled = 0.5;
  Index largest_dense = 450;

  /// Supernodal from this many floating-point operations for an entry of the factor. No FCLIB file
  /// seen comes near (they have 4 to 23); networks whose factors fill in break even here.
  double supernodal_operations = 150;

  /// The dual route where the degrees of freedom are fewer than this share of the unknowns, and the
  /// unknowns more than `largest_dense`.
  double dual_freedom = 0.5;
};

class CholeskyFactor;

/// L L^T = A + D for a symmetric A (m x m) and changing D, diagonal or block diagonal.
class ShiftedCholesky {
 public:
  /// Copies A (symmetric, both triangles stored, not empty) and analyses its pattern unless it is
  /// dense (counted in `work.analyses`). `work` must outlive this object. \param backend chosen by
  /// CholeskyRule if not given; not `dual`. \param block rows of the blocks that a D may have: all
  /// of them are in the pattern that is analysed; 1 for diagonals only.
  /// \throws std::runtime_error if CHOLMOD cannot analyse A.
  ShiftedCholesky(const SparseMatrix& A, WorkCounters& work,
                  std::optional<CholeskyBackend> backend = std::nullopt, Index block = 1);

  /// A = H^T M^-1 H by the dual route, with the symmetric part of M for M; for diagonals only.
  ShiftedCholesky(const GlobalForm& form, WorkCounters& work);

  ~ShiftedCholesky();
  ShiftedCholesky(ShiftedCholesky&&) noexcept;
  ShiftedCholesky& operator=(ShiftedCholesky&&) noexcept;

  /// Takes over the values of another A of the same pattern, which is not analysed again: for
  /// matrices of which more changes than a diagonal. \throws std::logic_error by the dual route.
  void change_values(const SparseMatrix& A);

  /// Factors A + shift I (counted in `work.factorizations`).
  /// \returns false if that matrix is not positive definite; solve_in_place() must not be called
  /// then. The dual route asks for a positive shift.
  [[nodiscard]] bool factorize(double shift);

  /// Factors A + diag(diagonal), likewise. \param diagonal m.
  [[nodiscard]] bool factorize(const Vector& diagonal);

  /// Factors A + blocks, likewise. \param blocks symmetric, of the size that was given at
  /// construction. \throws std::logic_error if they are of another size.
  [[nodiscard]] bool factorize(const BlockDiagonal& blocks);

  /// x := (A + D)^-1 x (counted in `work.triangular_solves`).
  void solve_in_place(Vector& x);

  CholeskyBackend backend() const { return backend_; }

 private:
  CholeskyBackend backend_;
  Index block_;
  WorkCounters* work_;
  std::unique_ptr<CholeskyFactor> factor_;
};

}  // namespace frictionbench
