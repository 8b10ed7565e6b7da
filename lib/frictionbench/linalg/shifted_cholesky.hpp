/// \file
/// Cholesky factorisation of a symmetric matrix plus a diagonal, or diagonal blocks, analysed once,
/// refactored for each of them.
#pragma once

#include <memory>
#include <optional>

#include "frictionbench/base/enum_names.hpp"
#include "frictionbench/linalg/block_diagonal.hpp"
#include "frictionbench/linalg/work_counters.hpp"
#include "frictionbench/math/types.hpp"
#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench {

/// The library and storage behind a factorisation.
enum class CholeskyBackend { dense, simplicial, supernodal, dual };
constexpr auto describe(CholeskyBackend) {
  using enum CholeskyBackend;
  return enum_names<CholeskyBackend>(
      "backend",
      {{dense, "dense", "Eigen LLT"},
       {simplicial, "simplicial", "CHOLMOD, row by row: very sparse factors"},
       {supernodal, "supernodal", "CHOLMOD on dense panels through BLAS: filled factors"},
       {dual, "dual", "CHOLMOD on the n x n matrix M + H D^-1 H^T of a global form (Woodbury)"}});
}

/// The rule for the automatic choice, measured by tests/benchmarks/bench_cholesky.cpp. Size and
/// density of A do not decide it: two matrices of 1200 rows and density 0.04 differ by a factor 30
/// in cost. The fill of the factor and the work per entry, known after the analysis, do.
struct CholeskyRule {
  /// A factor with more than this fraction of its triangle filled, and at most `largest_dense`
  /// rows, is faster dense. A matrix that is that dense itself is not analysed.
  double filled = 0.5;
  Index largest_dense = 450;  ///< rows of A

  /// Supernodal from this many floating-point operations per entry of the factor. FCLIB files seen
  /// have 4 to 23; networks whose factors fill in break even here.
  double supernodal_operations = 150;

  /// `dual` if there are fewer degrees of freedom than this fraction of the unknowns, and more than
  /// `largest_dense` unknowns.
  double dual_freedom = 0.5;
};

class CholeskyFactor;

/// L L^T = A + D for a symmetric A (m x m) and changing D, diagonal or block diagonal.
class ShiftedCholesky {
 public:
  /// Copies A (symmetric, both triangles stored, not empty) and analyses its pattern unless it is
  /// dense (counted in `work.analyses`). `work` must outlive this object. \param backend chosen by
  /// CholeskyRule if not given; not `dual`. \throws std::runtime_error if CHOLMOD cannot analyse A.
  ShiftedCholesky(const SparseMatrix& A, WorkCounters& work,
                  std::optional<CholeskyBackend> backend = std::nullopt)
      : ShiftedCholesky(A, BlockShape(1, A.rows()), work, backend) {}
  /// The same for block-diagonal D, too. \param shape of D's blocks, all of which are in the pattern
  /// that is analysed.
  ShiftedCholesky(const SparseMatrix& A, BlockShape shape, WorkCounters& work,
                  std::optional<CholeskyBackend> backend = std::nullopt);

  /// A = H^T M^-1 H + R with the symmetric part of M, as `dual`; for diagonals only.
  /// \param R diagonal, m; empty for zero.
  ShiftedCholesky(const GlobalForm& form, const Vector& R, WorkCounters& work);

  ~ShiftedCholesky();
  ShiftedCholesky(ShiftedCholesky&&) noexcept;  ///< leaves an object that cannot be used
  ShiftedCholesky& operator=(ShiftedCholesky&&) noexcept;

  /// Takes over the values of another A of the same pattern, without a new analysis.
  /// \throws std::logic_error for `dual`.
  void change_values(const SparseMatrix& A);

  /// Factors A + shift I (counted in `work.factorizations`).
  /// \returns false if that matrix is not positive definite; solve_in_place() must not be called
  /// then. `dual` requires a positive shift.
  [[nodiscard]] bool factorize(double shift);

  /// Factors A + diag(diagonal); counted as above. \param diagonal m.
  [[nodiscard]] bool factorize(const Vector& diagonal);

  /// Factors A + blocks; counted as above. \param blocks symmetric, of the shape given at
  /// construction. \throws std::logic_error if they are of another.
  [[nodiscard]] bool factorize(const BlockDiagonal& blocks);

  /// x := (A + D)^-1 x (counted in `work.triangular_solves`).
  void solve_in_place(Vector& x);

  CholeskyBackend backend() const { return backend_; }  ///< given or chosen at construction

 private:
  CholeskyBackend backend_;
  BlockShape shape_;  // of the blocks of D
  WorkCounters* work_;
  std::unique_ptr<CholeskyFactor> factor_;
};

}  // namespace frictionbench
