/// \file
/// LU factorisation of a square matrix plus diagonal blocks, analysed once and refactored: the
/// counterpart of ShiftedCholesky for unsymmetric systems.
#pragma once

#include <memory>
#include <utility>

#include "frictionbench/linalg/shiftable_matrix.hpp"
#include "frictionbench/linalg/supernodes.hpp"
#include "frictionbench/linalg/work_counters.hpp"
#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench {

/// P L U = A + S, or T A + S, for a square A (m x m) and changing block-diagonal S and T, none of
/// them symmetric. Dense (Eigen's LU with partial pivoting) where A is small and full, otherwise by
/// SupernodalLu, on A + S itself or on an n x n matrix of a global form. Rows are then exchanged
/// within blocks only, and callers refine.
class ShiftedLu {
 public:
  /// Copies A and analyses its pattern unless it is dense (counted in `work.analyses`). `work` must
  /// outlive this object. \param block rows of a block of S and T. \param pattern that of a sparse
  /// A: whole_blocks if there will be a T. \param analysis of an A with the same blocks, if there is one:
  /// then A is not analysed. \throws std::runtime_error if A cannot be analysed.
  ShiftedLu(const SparseMatrix& A, Index block, WorkCounters& work,
            ShiftableMatrix::Pattern pattern = ShiftableMatrix::Pattern::diagonal_blocks,
            SharedSupernodes analysis = nullptr)
      : ShiftedLu(A, BlockShape(block, A.rows() / block), work, pattern, std::move(analysis)) {}
  /// The same for blocks of any sizes. \param shape of S and T.
  ShiftedLu(const SparseMatrix& A, const BlockShape& shape, WorkCounters& work,
            ShiftableMatrix::Pattern pattern = ShiftableMatrix::Pattern::diagonal_blocks,
            SharedSupernodes analysis = nullptr);

  /// A = E H^T M^-1 H E + E R E, never formed, for a diagonal E; without T. Factors the n x n matrix
  /// of the Woodbury identity, with D = S + E R E, whose blocks must be regular,
  ///
  ///     (A + S)^-1 = D^-1 - D^-1 G^T (M + G D^-1 G^T)^-1 G D^-1,    G = H E
  ///
  /// The smaller D is, the more of the answer cancels: callers refine.
  /// \param E m. \param R m, or empty for zero. \param block rows of a block of S. \param analysis that of
  /// another E and R, if there is one.
  ShiftedLu(const GlobalForm& form, const Vector& E, const Vector& R, Index block,
            WorkCounters& work, SharedSupernodes analysis = nullptr);

  ~ShiftedLu();
  ShiftedLu(ShiftedLu&&) noexcept;  ///< leaves an object that cannot be used
  ShiftedLu& operator=(ShiftedLu&&) noexcept;

  /// Factors A + S (counted in `work.factorizations`). \param blocks S. \returns false if that
  /// matrix is singular or not finite; solve_in_place() must not be called then.
  [[nodiscard]] bool factorize(const BlockDiagonal& blocks);

  /// The same for T A + S. \param rows T. \param blocks S.
  [[nodiscard]] bool factorize(const BlockDiagonal& rows, const BlockDiagonal& blocks);

  /// x := (A + S)^-1 x, or (T A + S)^-1 x (counted in `work.triangular_solves`).
  void solve_in_place(Vector& x);

  /// 1 or -1, the sign of the determinant of the matrix factored last.
  int determinant_sign() const;

  FactorCost cost() const;            ///< of each factorisation, predicted
  SharedSupernodes analysis() const;  ///< made or given; empty if dense
  bool is_dense() const;              ///< whether Eigen's LU was chosen

 private:
  class Factor;
  class Dense;
  class Sparse;
  class Dual;

  WorkCounters* work_;
  std::unique_ptr<Factor> factor_;
};

}  // namespace frictionbench
