#include <stdexcept>

#include "frictionbench/linalg/cholesky_factor.hpp"

namespace frictionbench {

namespace {

// A with every diagonal entry stored, so that any diagonal can be added in place.
SparseMatrix with_full_diagonal(const SparseMatrix& A) {
  const Vector zeros = Vector::Zero(A.rows());
  SparseMatrix full = A + SparseMatrix(zeros.asDiagonal());
  full.makeCompressed();
  return full;
}

}  // namespace

CholmodFactor::CholmodFactor(const SparseMatrix& A, Method method, double supernodal_operations)
    : A_(with_full_diagonal(A)), diagonal_(A.diagonal()) {
  for (Index i = 0; i < A_.rows(); ++i)
    for (Index k = A_.outerIndexPtr()[i]; k < A_.outerIndexPtr()[i + 1]; ++k)
      if (A_.innerIndexPtr()[k] == i) diagonal_at_.push_back(k);

  cholmod_start(&common_);
  common_.print = 0;  // failures are return values, never text on the screen
  common_.supernodal = method == Method::by_operations ? CHOLMOD_AUTO
                       : method == Method::supernodal  ? CHOLMOD_SUPERNODAL
                                                       : CHOLMOD_SIMPLICIAL;
  common_.supernodal_switch = supernodal_operations;
  common_.final_ll = 1;
  common_.quick_return_if_not_posdef = 1;

  // Rows of a symmetric matrix are its columns, so the row-major arrays are CHOLMOD's.
  view_.nrow = view_.ncol = static_cast<std::size_t>(A_.rows());
  view_.nzmax = static_cast<std::size_t>(A_.nonZeros());
  view_.p = A_.outerIndexPtr();
  view_.i = A_.innerIndexPtr();
  view_.x = A_.valuePtr();
  view_.stype = -1;  // use the lower triangle
  view_.itype = CHOLMOD_INT;
  view_.xtype = CHOLMOD_REAL;
  view_.dtype = CHOLMOD_DOUBLE;
  view_.sorted = 1;
  view_.packed = 1;
  factor_ = cholmod_analyze(&view_, &common_);
  if (!factor_) {
    release();
    throw std::runtime_error("CHOLMOD could not analyse the matrix");
  }
}

CholmodFactor::~CholmodFactor() { release(); }

void CholmodFactor::change_values(const SparseMatrix& A) {
  SparseMatrix full = with_full_diagonal(A);
  eigen_assert(full.nonZeros() == A_.nonZeros());
  Eigen::Map<Vector>(A_.valuePtr(), A_.nonZeros()) =
      Eigen::Map<const Vector>(full.valuePtr(), full.nonZeros());
  diagonal_ = A.diagonal();
}

bool CholmodFactor::factorize(double shift) {
  double beta[2] = {shift, 0};
  cholmod_factorize_p(&view_, beta, nullptr, 0, factor_, &common_);
  return common_.status == CHOLMOD_OK && factor_->minor == factor_->n;
}

bool CholmodFactor::factorize(const Vector& diagonal) {
  const auto set_diagonal = [this](const Vector& values) {
    for (std::size_t i = 0; i < diagonal_at_.size(); ++i)
      A_.valuePtr()[diagonal_at_[i]] = values[static_cast<Index>(i)];
  };
  set_diagonal(diagonal_ + diagonal);
  const bool positive_definite = factorize(0.0);
  set_diagonal(diagonal_);
  return positive_definite;
}

void CholmodFactor::solve_in_place(Vector& x) {
  cholmod_dense right{};
  right.nrow = right.d = right.nzmax = static_cast<std::size_t>(x.size());
  right.ncol = 1;
  right.x = x.data();
  right.xtype = CHOLMOD_REAL;
  right.dtype = CHOLMOD_DOUBLE;
  if (!cholmod_solve2(CHOLMOD_A, factor_, &right, nullptr, &solution_, nullptr, &work_y_, &work_e_,
                      &common_))
    throw std::runtime_error("CHOLMOD could not solve with its factor");
  x = Eigen::Map<const Vector>(static_cast<const double*>(solution_->x), x.size());
}

double CholmodFactor::filled() const {
  const double n = static_cast<double>(A_.rows());
  return common_.lnz / (n * (n + 1) / 2);
}

void CholmodFactor::release() {
  cholmod_free_factor(&factor_, &common_);
  cholmod_free_dense(&solution_, &common_);
  cholmod_free_dense(&work_y_, &common_);
  cholmod_free_dense(&work_e_, &common_);
  cholmod_finish(&common_);
}

}  // namespace frictionbench
