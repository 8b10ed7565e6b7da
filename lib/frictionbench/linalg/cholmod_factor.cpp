#include <cholmod.h>

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

struct CholmodFactor::Cholmod {
  cholmod_common common{};
  cholmod_sparse view{};  // of A_
  cholmod_factor* factor = nullptr;
  cholmod_dense* solution = nullptr;
  cholmod_dense* work_y = nullptr;
  cholmod_dense* work_e = nullptr;

  Cholmod() { cholmod_start(&common); }
  ~Cholmod() {
    cholmod_free_factor(&factor, &common);
    cholmod_free_dense(&solution, &common);
    cholmod_free_dense(&work_y, &common);
    cholmod_free_dense(&work_e, &common);
    cholmod_finish(&common);
  }
  Cholmod(const Cholmod&) = delete;
  Cholmod& operator=(const Cholmod&) = delete;
};

CholmodFactor::CholmodFactor(const SparseMatrix& A, Method method, double supernodal_operations)
    : A_(with_full_diagonal(A)), diagonal_(A.diagonal()), cholmod_(std::make_unique<Cholmod>()) {
  for (Index i = 0; i < A_.rows(); ++i)
    for (Index k = A_.outerIndexPtr()[i]; k < A_.outerIndexPtr()[i + 1]; ++k)
      if (A_.innerIndexPtr()[k] == i) diagonal_at_.push_back(k);

  cholmod_common& common = cholmod_->common;
  cholmod_sparse& view = cholmod_->view;
  common.print = 0;  // failures are return values, never text on the screen
  common.supernodal = method == Method::by_operations ? CHOLMOD_AUTO
                      : method == Method::supernodal  ? CHOLMOD_SUPERNODAL
                                                      : CHOLMOD_SIMPLICIAL;
  common.supernodal_switch = supernodal_operations;
  common.final_ll = 1;
  common.quick_return_if_not_posdef = 1;

  // Rows of a symmetric matrix are its columns, so the row-major arrays are CHOLMOD's.
  view.nrow = view.ncol = static_cast<std::size_t>(A_.rows());
  view.nzmax = static_cast<std::size_t>(A_.nonZeros());
  view.p = A_.outerIndexPtr();
  view.i = A_.innerIndexPtr();
  view.x = A_.valuePtr();
  view.stype = -1;  // use the lower triangle
  view.itype = CHOLMOD_INT;
  view.xtype = CHOLMOD_REAL;
  view.dtype = CHOLMOD_DOUBLE;
  view.sorted = 1;
  view.packed = 1;
  cholmod_->factor = cholmod_analyze(&view, &common);
  if (!cholmod_->factor) throw std::runtime_error("CHOLMOD could not analyse the matrix");
}

CholmodFactor::~CholmodFactor() = default;

void CholmodFactor::change_values(const SparseMatrix& A) {
  SparseMatrix full = with_full_diagonal(A);
  eigen_assert(full.nonZeros() == A_.nonZeros());
  Eigen::Map<Vector>(A_.valuePtr(), A_.nonZeros()) =
      Eigen::Map<const Vector>(full.valuePtr(), full.nonZeros());
  diagonal_ = A.diagonal();
}

bool CholmodFactor::factorize(double shift) {
  double beta[2] = {shift, 0};
  const cholmod_factor* factor = cholmod_->factor;
  cholmod_factorize_p(&cholmod_->view, beta, nullptr, 0, cholmod_->factor, &cholmod_->common);
  return cholmod_->common.status == CHOLMOD_OK && factor->minor == factor->n;
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
  Cholmod& c = *cholmod_;
  if (!cholmod_solve2(CHOLMOD_A, c.factor, &right, nullptr, &c.solution, nullptr, &c.work_y,
                      &c.work_e, &c.common))
    throw std::runtime_error("CHOLMOD could not solve with its factor");
  x = Eigen::Map<const Vector>(static_cast<const double*>(c.solution->x), x.size());
}

bool CholmodFactor::is_supernodal() const { return cholmod_->factor->is_super != 0; }

double CholmodFactor::filled() const {
  const double n = static_cast<double>(A_.rows());
  return cholmod_->common.lnz / (n * (n + 1) / 2);
}

}  // namespace frictionbench
