#include "frictionbench/linalg/delassus_operator.hpp"

#include <limits>
#include <stdexcept>

#include "frictionbench/linalg/power_iteration.hpp"
#include "frictionbench/problem/facts.hpp"

namespace frictionbench {

Vector DelassusOperator::velocity(const Vector& r) const {
  ++work_->products;
  return problem_->contact_velocity(r);
}

Vector DelassusOperator::velocity_rounding(const Vector& r) const {
  ++work_->products;
  const Vector sizes = matrix().cwiseAbs() * r.cwiseAbs();
  return std::numeric_limits<double>::epsilon() * (sizes + problem_->local().q.cwiseAbs());
}

Vector DelassusOperator::times(const Vector& x) const {
  ++work_->products;
  return matrix() * x;
}

ShiftedCholesky DelassusOperator::factorization(const Vector& diagonal,
                                                std::optional<CholeskyBackend> backend) const {
  SparseMatrix A = symmetric_part(matrix());
  if (diagonal.size() > 0) A += SparseMatrix(diagonal.asDiagonal());
  return ShiftedCholesky(A, *work_, backend);
}

ShiftedCholesky DelassusOperator::preconditioner(std::optional<CholeskyBackend> backend) const {
  const GlobalForm* global = problem_->global();
  if (!backend && is_better_dual(CholeskyRule{}.dual_freedom)) backend = CholeskyBackend::dual;
  if (backend != CholeskyBackend::dual) return factorization({}, backend);
  if (!global)
    throw std::invalid_argument(
        "factorisation through the global form needs a problem in global form");
  return ShiftedCholesky(*global, problem_->compliance(), *work_);
}

bool DelassusOperator::is_better_dual(double freedom) const {
  const GlobalForm* global = problem_->global();
  return global && size() > CholeskyRule{}.largest_dense &&
         static_cast<double>(global->M.rows()) < freedom * static_cast<double>(size());
}

ShiftedLu DelassusOperator::lu(const Vector& E) const {
  if (problem_->is_plain() && is_better_dual(CholeskyRule{}.dual_freedom_of_lu))
    return ShiftedLu(*problem_->global(), E, problem_->compliance(), problem_->dimension(), *work_);
  return ShiftedLu(E.asDiagonal() * matrix() * E.asDiagonal(), problem_->block_shape(), *work_);
}

FactorCost DelassusOperator::lu_cost() const {
  const auto twice = [this](const SparseMatrix& A) {
    const FactorCost cost = cholesky_cost(A, *work_);
    return FactorCost{2 * cost.operations, 2 * cost.entries};
  };
  if (!is_better_dual(CholeskyRule{}.dual_freedom_of_lu)) return twice(matrix());
  const GlobalForm& form = *problem_->global();
  const SparseMatrix transposed = form.H.transpose();
  return twice(form.M + SparseMatrix(form.H * transposed));
}

double DelassusOperator::largest_eigenvalue(int iterations) const {
  return power_iteration(size(), iterations, [&](const Vector& x) { return times(x); });
}

}  // namespace frictionbench
