#include "frictionbench/linalg/shiftable_matrix.hpp"

#include <algorithm>
#include <utility>

namespace frictionbench {

namespace {

// Zeros in all blocks of one size that hold an entry of A.
ShiftableMatrix::ColumnMatrix zeros_in_blocks_of(const SparseMatrix& A, Index block) {
  std::vector<Eigen::Triplet<double, int>> entries;
  std::vector<Index> seen(static_cast<std::size_t>(A.cols() / block), -1);  // in which block row
  for (Index row = 0; row < A.rows(); ++row)
    for (SparseMatrix::InnerIterator entry(A, row); entry; ++entry) {
      const Index i = row / block, j = entry.col() / block;
      if (std::exchange(seen[static_cast<std::size_t>(j)], i) == i) continue;
      for (Index a = 0; a < block; ++a)
        for (Index b = 0; b < block; ++b)
          entries.emplace_back(static_cast<int>(block * i + a), static_cast<int>(block * j + b), 0);
    }
  ShiftableMatrix::ColumnMatrix zeros(A.rows(), A.cols());
  zeros.setFromTriplets(entries.begin(), entries.end());
  return zeros;
}

ShiftableMatrix::ColumnMatrix zeros_in_diagonal_blocks(Index order, Index block) {
  ShiftableMatrix::ColumnMatrix zeros(order, order);
  zeros.reserve(Eigen::VectorXi::Constant(order, static_cast<int>(block)));
  for (Index k = 0; k < order; ++k)
    for (Index b = 0; b < block; ++b) zeros.insert(k / block * block + b, k) = 0;
  return zeros;
}

}  // namespace

ShiftableMatrix::ShiftableMatrix(const SparseMatrix& A, Index block, Pattern pattern)
    : block_(block) {
  eigen_assert(A.rows() % block == 0);
  matrix_ = ColumnMatrix(A) + zeros_in_diagonal_blocks(A.rows(), block);
  if (pattern == Pattern::whole_blocks)
    matrix_ = ColumnMatrix(matrix_ + zeros_in_blocks_of(A, block));
  matrix_.makeCompressed();
  values_.assign(matrix_.valuePtr(), matrix_.valuePtr() + matrix_.nonZeros());

  for (Index k = 0; k < matrix_.cols(); ++k)
    for (Index at = matrix_.outerIndexPtr()[k]; at < matrix_.outerIndexPtr()[k + 1]; ++at)
      if (matrix_.innerIndexPtr()[at] / block_ == k / block_) at_.push_back(at);
}

void ShiftableMatrix::change_values(const SparseMatrix& A) {
  // The arrays stay in place, because a factorisation may point to them.
  const ShiftableMatrix other(A, block_);
  eigen_assert(other.matrix_.nonZeros() == matrix_.nonZeros());
  values_ = other.values_;
  std::copy(values_.begin(), values_.end(), matrix_.valuePtr());
  scaled_ = false;
}

void ShiftableMatrix::shift(const BlockDiagonal& blocks) {
  eigen_assert(blocks.size() == block_);
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
  for (Index k = 0; k < matrix_.cols(); ++k) {
    const Index at = at_[static_cast<std::size_t>(block_ * k + k % block_)];
    matrix_.valuePtr()[at] = values_[static_cast<std::size_t>(at)] + diagonal[k];
  }
}

void ShiftableMatrix::scale_and_shift(const BlockDiagonal& rows, const BlockDiagonal& blocks) {
  eigen_assert(rows.size() == block_ && blocks.size() == block_);
  scaled_ = true;
  // With whole blocks, each column holds complete blocks of rows.
  for (Index k = 0; k < matrix_.cols(); ++k)
    for (Index at = matrix_.outerIndexPtr()[k]; at < matrix_.outerIndexPtr()[k + 1]; at += block_) {
      const Index i = matrix_.innerIndexPtr()[at] / block_;
      const Eigen::Map<const Vector> part(values_.data() + at, block_);
      Eigen::Map<Vector> result(matrix_.valuePtr() + at, block_);
      result.noalias() = rows.block(i) * part;
      if (i == k / block_) result += blocks.block(i).col(k % block_);
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
