/// \file
/// A sparse matrix whose diagonal blocks are shifted in place, and restored.
#pragma once

#include <vector>

#include "frictionbench/linalg/block_diagonal.hpp"
#include "frictionbench/math/sparse.hpp"

namespace frictionbench {

/// A + S, or T A + S, for a fixed A (m x m) and changing block-diagonal S and T, with one pattern
/// for all of them. Stored by columns, as SuiteSparse reads a matrix.
class ShiftableMatrix {
 public:
  /// What the pattern holds in addition to that of A.
  enum class Pattern {
    diagonal_blocks,  ///< every entry of the diagonal blocks
    whole_blocks,     ///< those, and every entry of a block of which A has one
  };

  /// A, without a shift. \param shape of S and T.
  ShiftableMatrix(const SparseMatrix& A, BlockShape shape,
                  Pattern pattern = Pattern::diagonal_blocks);
  /// The same for blocks of one size. \param block rows of a block; 1 for the diagonal alone. m is a
  /// multiple.
  ShiftableMatrix(const SparseMatrix& A, Index block, Pattern pattern = Pattern::diagonal_blocks)
      : ShiftableMatrix(A, BlockShape(block, A.rows() / block), pattern) {}

  const ColumnMatrix& matrix() const { return matrix_; }  ///< m x m, with its shift
  ColumnMatrix& matrix() { return matrix_; }  ///< for libraries that take no const matrix

  /// Takes over the values of another A, of the same pattern.
  void change_values(const SparseMatrix& A);

  /// A + blocks. \param blocks of the shape that was given.
  void shift(const BlockDiagonal& blocks);
  /// A + diag(diagonal). \param diagonal m.
  void shift(const Vector& diagonal);
  /// rows A + blocks. \pre Pattern::whole_blocks. \param rows T, and \param blocks S, of the shape
  /// that was given.
  void scale_and_shift(const BlockDiagonal& rows, const BlockDiagonal& blocks);
  /// A again.
  void take_back();

 private:
  void unscale();

  BlockShape shape_;
  ColumnMatrix matrix_;
  std::vector<double> values_;  // of A
  std::vector<Index> at_;       // positions of the diagonal blocks' entries among them
  bool scaled_ = false;         // whether entries outside the diagonal blocks differ from A's
};

}  // namespace frictionbench
