#include "frictionbench/linalg/cholesky_factor.hpp"

namespace frictionbench {

bool DenseFactor::factorize(double shift) {
  return factorize(Vector(Vector::Constant(A_.rows(), shift)));
}

bool DenseFactor::factorize(const Vector& diagonal) {
  shifted_ = A_;
  shifted_.diagonal() += diagonal;
  llt_.compute(shifted_);
  return llt_.info() == Eigen::Success;
}

bool DenseFactor::factorize(const BlockDiagonal& blocks) {
  shifted_ = A_;
  const Index size = blocks.size();
  for (Index i = 0; i < blocks.blocks(); ++i)
    shifted_.block(size * i, size * i, size, size) += blocks.block(i);
  llt_.compute(shifted_);
  return llt_.info() == Eigen::Success;
}

}  // namespace frictionbench
