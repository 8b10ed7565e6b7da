#include "frictionbench/linalg/shiftable_matrix.hpp"

#include <algorithm>
#include <utility>

namespace frictionbench {

namespace {

// Zeros in all blocks that hold an entry of A.
ColumnMatrix zeros_in_blocks_of(const SparseMatrix& A, const BlockShape& shape) {
  Triplets entries;
  std::vector<Index> seen(static_cast<std::size_t>(shape.count()), -1);  // in which block row
  for (Index row = 0; row < A.rows(); ++row)
    for (SparseMatrix::InnerIterator entry(A, row); entry; ++entry) {
      const Index i = shape.at_row(row), j = shape.at_row(entry.col());
      if (std::exchange(seen[static_cast<std::size_t>(j)], i) == i) continue;
      for (Index a = 0; a < shape.rows(i); ++a)
        for (Index b = 0; b < shape.rows(j); ++b)
          entries.emplace_back(static_cast<int>(shape.start(i) + a),
                               static_cast<int>(shape.start(j) + b), 0);
    }
  return assembled<ColumnMatrix>(A.rows(), A.cols(), entries);
}

ColumnMatrix zeros_in_diagonal_blocks(const BlockShape& shape) {
  ColumnMatrix zeros(shape.order(), shape.order());
  zeros.reserve(shape.values_before(shape.count()));
  for (Index i = 0; i < shape.count(); ++i)
    for (Index k = shape.start(i); k < shape.start(i + 1); ++k) {
      zeros.startVec(k);
      for (Index row = shape.start(i); row < shape.start(i + 1); ++row)
        zeros.insertBack(row, k) = 0;
    }
  zeros.finalize();
  return zeros;
}

}  // namespace

ShiftableMatrix::ShiftableMatrix(const SparseMatrix& A, BlockShape shape, Pattern pattern)
    : shape_(std::move(shape)) {
  eigen_assert(A.rows() == shape_.order());
  matrix_ = ColumnMatrix(A) + zeros_in_diagonal_blocks(shape_);
  if (pattern == Pattern::whole_blocks)
    matrix_ = ColumnMatrix(matrix_ + zeros_in_blocks_of(A, shape_));
  matrix_.makeCompressed();
  values_.assign(matrix_.valuePtr(), matrix_.valuePtr() + matrix_.nonZeros());

  for (Index i = 0; i < shape_.count(); ++i)
    for (Index k = shape_.start(i); k < shape_.start(i + 1); ++k)
      for (Index at = matrix_.outerIndexPtr()[k]; at < matrix_.outerIndexPtr()[k + 1]; ++at) {
        const Index row = matrix_.innerIndexPtr()[at];
        if (row >= shape_.start(i) && row < shape_.start(i + 1)) at_.push_back(at);
      }
}

void ShiftableMatrix::change_values(const SparseMatrix& A) {
  // The arrays stay in place, because a factorisation may point to them.
  const ShiftableMatrix other(A, shape_);
  eigen_assert(other.matrix_.nonZeros() == matrix_.nonZeros());
  values_ = other.values_;
  std::copy(values_.begin(), values_.end(), matrix_.valuePtr());
  scaled_ = false;
}

void ShiftableMatrix::shift(const BlockDiagonal& blocks) {
  eigen_assert(blocks.shape() == shape_);
  unscale();
  // Both are in column order.
  const double* entry = blocks.values().data();
  for (std::size_t k = 0; k < at_.size(); ++k) {
    const Index at = at_[k];
    matrix_.valuePtr()[at] = values_[static_cast<std::size_t>(at)] + entry[k];
  }
}

void ShiftableMatrix::shift(const Vector& diagonal) {
  unscale();
  for (Index i = 0; i < shape_.count(); ++i)
    for (Index a = 0; a < shape_.rows(i); ++a) {
      const Index entry = shape_.values_before(i) + a * shape_.rows(i) + a;
      const Index at = at_[static_cast<std::size_t>(entry)];
      matrix_.valuePtr()[at] =
          values_[static_cast<std::size_t>(at)] + diagonal[shape_.start(i) + a];
    }
}

void ShiftableMatrix::scale_and_shift(const BlockDiagonal& rows, const BlockDiagonal& blocks) {
  eigen_assert(rows.shape() == shape_ && blocks.shape() == shape_);
  scaled_ = true;
  // With whole blocks, each column holds complete blocks of rows.
  for (Index j = 0; j < shape_.count(); ++j)
    for (Index k = shape_.start(j); k < shape_.start(j + 1); ++k)
      for (Index at = matrix_.outerIndexPtr()[k]; at < matrix_.outerIndexPtr()[k + 1];) {
        const Index i = shape_.at_row(matrix_.innerIndexPtr()[at]);
        const Eigen::Map<const Vector> part(values_.data() + at, shape_.rows(i));
        Eigen::Map<Vector> result(matrix_.valuePtr() + at, shape_.rows(i));
        result.noalias() = rows.block(i).lazyProduct(part);
        if (i == j) result += blocks.block(i).col(k - shape_.start(j));
        at += shape_.rows(i);
      }
}

void ShiftableMatrix::take_back() {
  unscale();
  for (const Index at : at_) matrix_.valuePtr()[at] = values_[static_cast<std::size_t>(at)];
}

void ShiftableMatrix::unscale() {
  if (std::exchange(scaled_, false)) std::copy(values_.begin(), values_.end(), matrix_.valuePtr());
}

}  // namespace frictionbench
