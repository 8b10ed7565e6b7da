#include "frictionbench/solvers/pivoting/growing_ldlt.hpp"

namespace frictionbench::solvers {

bool GrowingLdlt::factorize(const Matrix& A) {
  size_ = 0;
  work_.count_ldlt();
  for (Index k = 0; k < A.rows(); ++k)
    if (!append(A.row(k).head(k), A(k, k))) {
      size_ = 0;
      return false;
    }
  return true;
}

bool GrowingLdlt::append(const Vector& a, double diagonal) {
  const Index k = size_;
  const Vector y = L_.topLeftCorner(k, k).triangularView<Eigen::UnitLower>().solve(a);
  const Vector l = y.cwiseQuotient(d_.head(k));
  const double pivot = diagonal - l.dot(y);
  if (!(pivot > 0)) return false;
  L_.row(k).head(k) = l.transpose();
  d_[k] = pivot;
  ++size_;
  return true;
}

// Without row k, the rows behind it satisfy L D L^T + d_k l l^T, with l what was their column k.
void GrowingLdlt::drop(Index k) {
  const Index behind = size_ - k - 1;
  Vector l = L_.col(k).segment(k + 1, behind);
  double alpha = d_[k];
  for (Index i = k; i + 1 < size_; ++i) {
    L_.row(i).head(k) = L_.row(i + 1).head(k);
    for (Index j = k; j < i; ++j) L_(i, j) = L_(i + 1, j + 1);
    d_[i] = d_[i + 1];
  }
  --size_;
  for (Index j = 0; j < behind; ++j) {
    const double p = l[j];
    const double before = d_[k + j];
    d_[k + j] = before + alpha * p * p;
    const double beta = p * alpha / d_[k + j];
    alpha *= before / d_[k + j];
    for (Index i = j + 1; i < behind; ++i) {
      l[i] -= p * L_(k + i, k + j);
      L_(k + i, k + j) += beta * l[i];
    }
  }
}

Vector GrowingLdlt::solve(const Vector& b) const {
  work_.count_solve();
  const auto L = L_.topLeftCorner(size_, size_);
  Vector x = L.triangularView<Eigen::UnitLower>().solve(b);
  x = x.cwiseQuotient(d_.head(size_)).eval();
  L.transpose().triangularView<Eigen::UnitUpper>().solveInPlace(x);
  return x;
}

}  // namespace frictionbench::solvers
