/// \file
/// A square matrix with blocks along its diagonal, and nothing else.
#pragma once

#include <utility>

#include "frictionbench/math/block_shape.hpp"
#include "frictionbench/math/sparse.hpp"

namespace frictionbench {

/// A square matrix of which only the blocks along the diagonal are stored.
class BlockDiagonal {
 public:
  /// Zero.
  explicit BlockDiagonal(BlockShape shape)
      : shape_(std::move(shape)), values_(Vector::Zero(shape_.values_before(shape_.count()))) {}
  /// Zero, with blocks of one size. \param size rows of a block. \param blocks their number.
  BlockDiagonal(Index size, Index blocks) : BlockDiagonal(BlockShape(size, blocks)) {}

  const BlockShape& shape() const { return shape_; }  ///< as given
  Index order() const { return shape_.order(); }      ///< rows of the whole matrix
  Index blocks() const { return shape_.count(); }     ///< their number

  /// A view of a block, square.
  /// @{
  Eigen::Map<Matrix> block(Index i) {
    return {values_.data() + shape_.values_before(i), shape_.rows(i), shape_.rows(i)};
  }
  Eigen::Map<const Matrix> block(Index i) const {
    return {values_.data() + shape_.values_before(i), shape_.rows(i), shape_.rows(i)};
  }
  /// @}

  const Vector& values() const { return values_; }  ///< the blocks one after the other, by columns

  /// The product with x (order()).
  Vector times(const Vector& x) const {
    Vector product(order());
    for (Index i = 0; i < blocks(); ++i)
      product.segment(shape_.start(i), shape_.rows(i)).noalias() =
          block(i).lazyProduct(x.segment(shape_.start(i), shape_.rows(i)));
    return product;
  }

 private:
  BlockShape shape_;
  Vector values_;
};

/// The same as a sparse matrix, with every entry of the blocks stored, zero or not.
inline SparseMatrix sparse(const BlockDiagonal& blocks) {
  const BlockShape& shape = blocks.shape();
  Triplets entries;
  for (Index i = 0; i < shape.count(); ++i)
    for (Index a = 0; a < shape.rows(i); ++a)
      for (Index b = 0; b < shape.rows(i); ++b)
        entries.emplace_back(static_cast<int>(shape.start(i) + a),
                             static_cast<int>(shape.start(i) + b), blocks.block(i)(a, b));
  return assembled(blocks.order(), blocks.order(), entries);
}

}  // namespace frictionbench
