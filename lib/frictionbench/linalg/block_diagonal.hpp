/// \file
/// A square matrix with blocks along its diagonal, and nothing else.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "frictionbench/math/types.hpp"

namespace frictionbench {

/// How rows are divided into blocks: all of one size, or not.
class BlockShape {
 public:
  /// Blocks of one size. \param size rows of a block. \param count of blocks.
  BlockShape(Index size, Index count) : size_(size), count_(count) {}
  /// \param starts first row of each block, and the number of rows: increasing.
  explicit BlockShape(std::vector<Index> starts)
      : size_(0), count_(static_cast<Index>(starts.size()) - 1), starts_(std::move(starts)) {
    values_before_.push_back(0);
    for (Index i = 0; i < count_; ++i)
      values_before_.push_back(values_before_.back() + rows(i) * rows(i));
  }

  Index count() const { return count_; }         ///< of blocks
  Index order() const { return start(count_); }  ///< rows of all blocks
  /// First row of block i; order() for i = count().
  Index start(Index i) const {
    return starts_.empty() ? size_ * i : starts_[static_cast<std::size_t>(i)];
  }
  Index rows(Index i) const {  ///< of block i
    return starts_.empty() ? size_ : start(i + 1) - start(i);
  }
  /// The block that has this row.
  Index at_row(Index row) const {
    if (starts_.empty()) return row / size_;
    return std::ranges::upper_bound(starts_, row) - starts_.begin() - 1;
  }
  /// Entries of the blocks before block i; of all for i = count().
  Index values_before(Index i) const {
    return starts_.empty() ? size_ * size_ * i : values_before_[static_cast<std::size_t>(i)];
  }

  bool operator==(const BlockShape&) const = default;

 private:
  Index size_;
  Index count_;
  std::vector<Index> starts_;         // empty if all have size_ rows
  std::vector<Index> values_before_;  // the same
};

/// A matrix of that shape, of which only the blocks are stored.
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
          block(i) * x.segment(shape_.start(i), shape_.rows(i));
    return product;
  }

 private:
  BlockShape shape_;
  Vector values_;
};

/// The same as a sparse matrix, with every entry of the blocks stored, zero or not.
inline SparseMatrix sparse(const BlockDiagonal& blocks) {
  const BlockShape& shape = blocks.shape();
  std::vector<Eigen::Triplet<double, int>> entries;
  for (Index i = 0; i < shape.count(); ++i)
    for (Index a = 0; a < shape.rows(i); ++a)
      for (Index b = 0; b < shape.rows(i); ++b)
        entries.emplace_back(static_cast<int>(shape.start(i) + a),
                             static_cast<int>(shape.start(i) + b), blocks.block(i)(a, b));
  SparseMatrix matrix(blocks.order(), blocks.order());
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

}  // namespace frictionbench
