/// \file
/// A square matrix with blocks of one size along its diagonal, and nothing else.
#pragma once

#include "frictionbench/math/types.hpp"

namespace frictionbench {

/// One block per contact, stored side by side: size x (size * blocks).
class BlockDiagonal {
 public:
  /// Zero. \param size rows of a block. \param blocks their number.
  BlockDiagonal(Index size, Index blocks) : values_(Matrix::Zero(size, size * blocks)) {}

  Index size() const { return values_.rows(); }      ///< rows of a block
  Index order() const { return values_.cols(); }     ///< rows of the whole matrix
  Index blocks() const { return order() / size(); }  ///< their number

  /// A view of a block, size() x size().
  /// @{
  auto block(Index i) { return values_.middleCols(size() * i, size()); }
  auto block(Index i) const { return values_.middleCols(size() * i, size()); }
  /// @}

  const Matrix& values() const { return values_; }  ///< the blocks, side by side

  /// The product with x (order()).
  Vector times(const Vector& x) const {
    Vector product(order());
    for (Index i = 0; i < blocks(); ++i)
      product.segment(size() * i, size()).noalias() = block(i) * x.segment(size() * i, size());
    return product;
  }

 private:
  Matrix values_;
};

/// The same as a sparse matrix, with every entry of the blocks stored, zero or not.
inline SparseMatrix sparse(const BlockDiagonal& blocks) {
  const Index size = blocks.size();
  SparseMatrix matrix(blocks.order(), blocks.order());
  matrix.reserve(Eigen::VectorXi::Constant(blocks.order(), static_cast<int>(size)));
  for (Index row = 0; row < blocks.order(); ++row)
    for (Index k = 0; k < size; ++k)
      matrix.insert(row, row / size * size + k) = blocks.block(row / size)(row % size, k);
  matrix.makeCompressed();
  return matrix;
}

}  // namespace frictionbench
