#include "frictionbench/linalg/delassus_operator.hpp"

#include <limits>
#include <stdexcept>
#include <utility>

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
  if (!backend && may_be_dual(CholeskyRule{}.dual_freedom)) backend = CholeskyBackend::dual;
  if (backend != CholeskyBackend::dual) return factorization({}, backend);
  if (!global)
    throw std::invalid_argument(
        "factorisation through the global form needs a problem in global form");
  return ShiftedCholesky(*global, problem_->compliance(), *work_);
}

bool DelassusOperator::may_be_dual(double freedom) const {
  const GlobalForm* global = problem_->global();
  return global && size() > CholeskyRule{}.largest_dense &&
         static_cast<double>(global->M.rows()) < freedom * static_cast<double>(size());
}

ShiftedLu DelassusOperator::lu_of(const SparseMatrix& A, ShiftableMatrix::Pattern pattern) const {
  ShiftedLu lu(A, problem_->block_shape(), *work_, pattern, analyses_.direct);
  analyses_.direct = lu.analysis();
  return lu;
}

ShiftedLu DelassusOperator::dual_lu(const Vector& E) const {
  ShiftedLu lu(*problem_->global(), E, problem_->compliance(), problem_->dimension(), *work_,
               analyses_.dual);
  analyses_.dual = lu.analysis();
  return lu;
}

ShiftedLu DelassusOperator::lu(const Vector& E) const {
  const auto direct_lu = [&] {
    return lu_of(E.asDiagonal() * matrix() * E.asDiagonal(),
                 ShiftableMatrix::Pattern::diagonal_blocks);
  };
  if (!problem_->is_plain() || !may_be_dual(1)) return direct_lu();
  if (may_be_dual(CholeskyRule{}.dual_freedom)) return dual_lu(E);
  if (const auto& [direct, dual, cost] = analyses_; direct && dual)
    return direct->cost.operations < dual->cost.operations ? direct_lu() : dual_lu(E);
  ShiftedLu direct = direct_lu(), dual = dual_lu(E);
  return direct.cost().operations < dual.cost().operations ? std::move(direct) : std::move(dual);
}

ShiftedLu DelassusOperator::row_scaled_lu() const {
  return lu_of(matrix(), ShiftableMatrix::Pattern::whole_blocks);
}

FactorCost DelassusOperator::lu_cost() const {
  std::optional<FactorCost>& cost = analyses_.cost;
  if (!cost) cost = lu(Vector::Ones(size())).cost();
  return *cost;
}

double DelassusOperator::largest_eigenvalue(int iterations) const {
  return power_iteration(size(), iterations, [&](const Vector& x) { return times(x); });
}

}  // namespace frictionbench
