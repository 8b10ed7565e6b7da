#include "frictionbench/solvers/compliant_newton/hessian.hpp"

#include <Eigen/Eigenvalues>

namespace frictionbench::solvers {

bool Hessian::factorize(const SparseMatrix& matrix) {
  matrix_ = matrix;
  if (factor_)
    factor_->change_values(matrix);
  else
    factor_.emplace(matrix, *work_);
  return factor_->factorize(0.0);
}

double Hessian::condition() const {
  const Vector eigenvalues =
      Eigen::SelfAdjointEigenSolver<Matrix>(Matrix(matrix_), Eigen::EigenvaluesOnly).eigenvalues();
  return eigenvalues.tail(1)[0] / eigenvalues[0];  // increasing
}

}  // namespace frictionbench::solvers
