#include <cholmod.h>

#include <stdexcept>

#include "frictionbench/linalg/cholesky_factor.hpp"

namespace frictionbench {

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

CholmodFactor::CholmodFactor(const SparseMatrix& A, Method method, double supernodal_operations,
                             Index block)
    : A_(A, block), cholmod_(std::make_unique<Cholmod>()) {
  cholmod_common& common = cholmod_->common;
  cholmod_sparse& view = cholmod_->view;
  common.print = 0;  // failures are return values, never text on the screen
  common.supernodal = method == Method::by_operations ? CHOLMOD_AUTO
                      : method == Method::supernodal  ? CHOLMOD_SUPERNODAL
                                                      : CHOLMOD_SIMPLICIAL;
  common.supernodal_switch = supernodal_operations;
  common.final_ll = 1;
  common.quick_return_if_not_posdef = 1;

  ShiftableMatrix::ColumnMatrix& matrix = A_.matrix();
  view.nrow = view.ncol = static_cast<std::size_t>(matrix.rows());
  view.nzmax = static_cast<std::size_t>(matrix.nonZeros());
  view.p = matrix.outerIndexPtr();
  view.i = matrix.innerIndexPtr();
  view.x = matrix.valuePtr();
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

void CholmodFactor::change_values(const SparseMatrix& A) { A_.change_values(A); }

bool CholmodFactor::factorize(double shift) {
  double beta[2] = {shift, 0};
  const cholmod_factor* factor = cholmod_->factor;
  cholmod_factorize_p(&cholmod_->view, beta, nullptr, 0, cholmod_->factor, &cholmod_->common);
  return cholmod_->common.status == CHOLMOD_OK && factor->minor == factor->n;
}

template <typename Shift>
bool CholmodFactor::factorize_shifted(const Shift& shift) {
  A_.shift(shift);
  const bool positive_definite = factorize(0.0);
  A_.take_back();
  return positive_definite;
}

bool CholmodFactor::factorize(const Vector& diagonal) { return factorize_shifted(diagonal); }

bool CholmodFactor::factorize(const BlockDiagonal& blocks) { return factorize_shifted(blocks); }

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
  const double n = static_cast<double>(A_.matrix().rows());
  return cholmod_->common.lnz / (n * (n + 1) / 2);
}

}  // namespace frictionbench
