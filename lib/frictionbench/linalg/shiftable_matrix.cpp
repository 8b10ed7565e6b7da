#include "frictionbench/linalg/shiftable_matrix.hpp"

#include <algorithm>

namespace frictionbench {

ShiftableMatrix::ShiftableMatrix(const SparseMatrix& A, Index block) : block_(block) {
  eigen_assert(A.rows() % block == 0);
  ColumnMatrix zeros(A.rows(), A.cols());
  zeros.reserve(Eigen::VectorXi::Constant(A.cols(), static_cast<int>(block_)));
  for (Index k = 0; k < A.cols(); ++k)
    for (Index b = 0; b < block_; ++b) zeros.insert(k / block_ * block_ + b, k) = 0;
  matrix_ = ColumnMatrix(A) + zeros;
  matrix_.makeCompressed();

  for (Index k = 0; k < matrix_.cols(); ++k)
    for (Index at = matrix_.outerIndexPtr()[k]; at < matrix_.outerIndexPtr()[k + 1]; ++at)
      if (matrix_.innerIndexPtr()[at] / block_ == k / block_) {
        at_.push_back(at);
        unshifted_.push_back(matrix_.valuePtr()[at]);
      }
}

void ShiftableMatrix::change_values(const SparseMatrix& A) {
  // The arrays stay where they are, because a factorisation may look at them.
  const ShiftableMatrix other(A, block_);
  eigen_assert(other.matrix_.nonZeros() == matrix_.nonZeros());
  std::copy_n(other.matrix_.valuePtr(), matrix_.nonZeros(), matrix_.valuePtr());
  unshifted_ = other.unshifted_;
}

void ShiftableMatrix::shift(const BlockDiagonal& blocks) {
  eigen_assert(blocks.size() == block_);
  // Both go through the columns, and down the block in each.
  const double* entry = blocks.values().data();
  for (std::size_t k = 0; k < at_.size(); ++k)
    matrix_.valuePtr()[at_[k]] = unshifted_[k] + entry[k];
}

void ShiftableMatrix::shift(const Vector& diagonal) {
  for (Index k = 0; k < matrix_.cols(); ++k) {
    const auto place = static_cast<std::size_t>(block_ * k + k % block_);
    matrix_.valuePtr()[at_[place]] = unshifted_[place] + diagonal[k];
  }
}

void ShiftableMatrix::take_back() {
  for (std::size_t k = 0; k < at_.size(); ++k) matrix_.valuePtr()[at_[k]] = unshifted_[k];
}

}  // namespace frictionbench
