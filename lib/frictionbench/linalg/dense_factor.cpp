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

}  // namespace frictionbench
