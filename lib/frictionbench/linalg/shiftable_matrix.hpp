/// \file
/// A sparse matrix to whose diagonal blocks others are added and taken away again, in place.
#pragma once

#include <vector>

#include "frictionbench/linalg/block_diagonal.hpp"

namespace frictionbench {

/// A + S for a fixed A (m x m) and changing S, with one pattern for all of them: that of A and
/// every entry of its diagonal blocks. Stored by columns, as SuiteSparse reads a matrix.
class ShiftableMatrix {
 public:
  using ColumnMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

  /// A, without a shift. \param block rows of a block; 1 for the diagonal alone. m is a multiple.
  ShiftableMatrix(const SparseMatrix& A, Index block);

  const ColumnMatrix& matrix() const { return matrix_; }
  ColumnMatrix& matrix() { return matrix_; }

  /// Takes over the values of another A, of the same pattern.
  void change_values(const SparseMatrix& A);

  /// A + blocks. \param blocks of the size that was given.
  void shift(const BlockDiagonal& blocks);
  /// A + diag(diagonal). \param diagonal m.
  void shift(const Vector& diagonal);
  /// A again.
  void take_back();

 private:
  Index block_;
  ColumnMatrix matrix_;
  std::vector<Index> at_;          // places of the blocks' entries among its values: m block_
  std::vector<double> unshifted_;  // and what A has there
};

}  // namespace frictionbench
