#include <stdexcept>

#include "frictionbench/linalg/cholesky_factor.hpp"
#include "frictionbench/problem/facts.hpp"

namespace frictionbench {

DualFactor::DualFactor(const GlobalForm& form, double supernodal_operations)
    : M_(symmetric_part(form.M)),
      H_(form.H),
      inverse_diagonal_(Vector::Ones(form.H.cols())),
      factor_(middle(), CholmodFactor::Method::by_operations, supernodal_operations) {}

SparseMatrix DualFactor::middle() const {
  const SparseMatrix scaled = H_ * inverse_diagonal_.asDiagonal();
  return M_ + SparseMatrix(scaled * SparseMatrix(H_.transpose()));
}

void DualFactor::change_values(const SparseMatrix&) {
  throw std::logic_error("the dual route has no matrix of contacts whose values could change");
}

bool DualFactor::factorize(double shift) {
  return factorize(Vector(Vector::Constant(H_.cols(), shift)));
}

bool DualFactor::factorize(const Vector& diagonal) {
  if (!(diagonal.minCoeff() > 0)) return false;
  inverse_diagonal_ = diagonal.cwiseInverse();
  factor_.change_values(middle());
  return factor_.factorize(0.0);
}

bool DualFactor::factorize(const BlockDiagonal&) {
  throw std::logic_error("the dual route takes diagonal shifts only");
}

void DualFactor::solve_in_place(Vector& x) {
  x = x.cwiseProduct(inverse_diagonal_);
  Vector velocity = H_ * x;
  factor_.solve_in_place(velocity);
  x -= inverse_diagonal_.cwiseProduct(H_.transpose() * velocity);
}

}  // namespace frictionbench
