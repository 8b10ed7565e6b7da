#include "frictionbench/linalg/shifted_cholesky.hpp"

#include <stdexcept>

#include "frictionbench/linalg/cholesky_factor.hpp"

namespace frictionbench {

namespace {

double share_of_square(const SparseMatrix& A) {
  const double n = static_cast<double>(A.rows());
  return static_cast<double>(A.nonZeros()) / (n * n);
}

CholmodFactor::Method method_for(std::optional<CholeskyBackend> backend) {
  if (!backend) return CholmodFactor::Method::by_operations;
  return *backend == CholeskyBackend::supernodal ? CholmodFactor::Method::supernodal
                                                 : CholmodFactor::Method::simplicial;
}

}  // namespace

std::string_view name(CholeskyBackend backend) {
  switch (backend) {
    case CholeskyBackend::dense:
      return "dense";
    case CholeskyBackend::simplicial:
      return "simplicial";
    case CholeskyBackend::supernodal:
      return "supernodal";
    case CholeskyBackend::dual:
      return "dual";
  }
  throw std::logic_error("unknown Cholesky backend");
}

ShiftedCholesky::ShiftedCholesky(const SparseMatrix& A, WorkCounters& work,
                                 std::optional<CholeskyBackend> backend, Index block)
    : block_(block), work_(&work) {
  if (backend == CholeskyBackend::dual)
    throw std::logic_error("the dual route needs the global form");
  const CholeskyRule rule;
  const bool small = A.rows() <= rule.largest_dense;
  if (!backend && small && share_of_square(A) > rule.filled) backend = CholeskyBackend::dense;

  if (backend != CholeskyBackend::dense) {
    auto sparse =
        std::make_unique<CholmodFactor>(A, method_for(backend), rule.supernodal_operations, block);
    ++work_->analyses;
    if (!backend && small && sparse->filled() > rule.filled) {
      backend = CholeskyBackend::dense;
    } else {
      backend = sparse->is_supernodal() ? CholeskyBackend::supernodal : CholeskyBackend::simplicial;
      factor_ = std::move(sparse);
    }
  }
  backend_ = *backend;
  if (backend_ == CholeskyBackend::dense) factor_ = std::make_unique<DenseFactor>(A);
}

ShiftedCholesky::ShiftedCholesky(const GlobalForm& form, WorkCounters& work)
    : backend_(CholeskyBackend::dual),
      block_(1),
      work_(&work),
      factor_(std::make_unique<DualFactor>(form, CholeskyRule().supernodal_operations)) {
  ++work_->analyses;
}

ShiftedCholesky::~ShiftedCholesky() = default;
ShiftedCholesky::ShiftedCholesky(ShiftedCholesky&&) noexcept = default;
ShiftedCholesky& ShiftedCholesky::operator=(ShiftedCholesky&&) noexcept = default;

void ShiftedCholesky::change_values(const SparseMatrix& A) { factor_->change_values(A); }

bool ShiftedCholesky::factorize(double shift) {
  ++work_->factorizations.cholesky;
  return factor_->factorize(shift);
}

bool ShiftedCholesky::factorize(const Vector& diagonal) {
  ++work_->factorizations.cholesky;
  return factor_->factorize(diagonal);
}

bool ShiftedCholesky::factorize(const BlockDiagonal& blocks) {
  if (blocks.size() != block_)
    throw std::logic_error("the blocks are not of the size that was analysed");
  ++work_->factorizations.cholesky;
  return factor_->factorize(blocks);
}

void ShiftedCholesky::solve_in_place(Vector& x) {
  ++work_->triangular_solves;
  factor_->solve_in_place(x);
}

}  // namespace frictionbench
