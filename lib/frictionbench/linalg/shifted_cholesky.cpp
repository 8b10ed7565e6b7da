#include "frictionbench/linalg/shifted_cholesky.hpp"

#include <cholmod.h>

#include <Eigen/Cholesky>
#include <stdexcept>

namespace frictionbench {

class ShiftedCholesky::Factor {
 public:
  virtual ~Factor() = default;
  virtual bool factorize(double shift) = 0;
  virtual void solve_in_place(Vector& x) = 0;
};

namespace {

class DenseFactor final : public ShiftedCholesky::Factor {
 public:
  explicit DenseFactor(const SparseMatrix& A) : A_(A), llt_(A.rows()) {}

  bool factorize(double shift) override {
    shifted_ = A_;
    shifted_.diagonal().array() += shift;
    llt_.compute(shifted_);
    return llt_.info() == Eigen::Success;
  }

  void solve_in_place(Vector& x) override { llt_.solveInPlace(x); }

 private:
  Matrix A_;
  Matrix shifted_;
  Eigen::LLT<Matrix> llt_;
};

// CHOLMOD refactors A + beta I without a copy of A (cholmod_factorize_p), and keeps its work space
// between solves (cholmod_solve2).
class CholmodFactor final : public ShiftedCholesky::Factor {
 public:
  CholmodFactor(const SparseMatrix& A, std::optional<CholeskyBackend> backend,
                double supernodal_operations)
      : A_(A) {
    cholmod_start(&common_);
    common_.print = 0;  // failures are return values, never text on the screen
    common_.supernodal = !backend                                 ? CHOLMOD_AUTO
                         : backend == CholeskyBackend::supernodal ? CHOLMOD_SUPERNODAL
                                                                  : CHOLMOD_SIMPLICIAL;
    common_.supernodal_switch = supernodal_operations;
    common_.final_ll = 1;
    common_.quick_return_if_not_posdef = 1;

    // Rows of a symmetric matrix are its columns, so the row-major arrays are CHOLMOD's.
    A_.makeCompressed();
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
  ~CholmodFactor() override { release(); }
  CholmodFactor(const CholmodFactor&) = delete;
  CholmodFactor& operator=(const CholmodFactor&) = delete;

  CholeskyBackend backend() const {
    return factor_->is_super ? CholeskyBackend::supernodal : CholeskyBackend::simplicial;
  }

  // Share of the lower triangle that the factor fills.
  double filled() const {
    const double n = static_cast<double>(A_.rows());
    return common_.lnz / (n * (n + 1) / 2);
  }

  bool factorize(double shift) override {
    double beta[2] = {shift, 0};
    cholmod_factorize_p(&view_, beta, nullptr, 0, factor_, &common_);
    return common_.status == CHOLMOD_OK && factor_->minor == factor_->n;
  }

  void solve_in_place(Vector& x) override {
    cholmod_dense right{};
    right.nrow = right.d = right.nzmax = static_cast<std::size_t>(x.size());
    right.ncol = 1;
    right.x = x.data();
    right.xtype = CHOLMOD_REAL;
    right.dtype = CHOLMOD_DOUBLE;
    if (!cholmod_solve2(CHOLMOD_A, factor_, &right, nullptr, &solution_, nullptr, &work_y_,
                        &work_e_, &common_))
      throw std::runtime_error("CHOLMOD could not solve with its factor");
    x = Eigen::Map<const Vector>(static_cast<const double*>(solution_->x), x.size());
  }

 private:
  void release() {
    cholmod_free_factor(&factor_, &common_);
    cholmod_free_dense(&solution_, &common_);
    cholmod_free_dense(&work_y_, &common_);
    cholmod_free_dense(&work_e_, &common_);
    cholmod_finish(&common_);
  }

  SparseMatrix A_;
  cholmod_common common_{};
  cholmod_sparse view_{};
  cholmod_factor* factor_ = nullptr;
  cholmod_dense* solution_ = nullptr;
  cholmod_dense* work_y_ = nullptr;
  cholmod_dense* work_e_ = nullptr;
};

double share_of_square(const SparseMatrix& A) {
  const double n = static_cast<double>(A.rows());
  return static_cast<double>(A.nonZeros()) / (n * n);
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
  }
  throw std::logic_error("unknown Cholesky backend");
}

ShiftedCholesky::ShiftedCholesky(const SparseMatrix& A, WorkCounters& work,
                                 std::optional<CholeskyBackend> backend)
    : work_(&work) {
  const CholeskyRule rule;
  const bool small = A.rows() <= rule.largest_dense;
  if (!backend && small && share_of_square(A) > rule.filled) backend = CholeskyBackend::dense;

  if (backend != CholeskyBackend::dense) {
    auto sparse = std::make_unique<CholmodFactor>(A, backend, rule.supernodal_operations);
    ++work_->analyses;
    if (!backend && small && sparse->filled() > rule.filled) {
      backend = CholeskyBackend::dense;
    } else {
      backend = sparse->backend();
      factor_ = std::move(sparse);
    }
  }
  backend_ = *backend;
  if (backend_ == CholeskyBackend::dense) factor_ = std::make_unique<DenseFactor>(A);
}

ShiftedCholesky::~ShiftedCholesky() = default;
ShiftedCholesky::ShiftedCholesky(ShiftedCholesky&&) noexcept = default;
ShiftedCholesky& ShiftedCholesky::operator=(ShiftedCholesky&&) noexcept = default;

bool ShiftedCholesky::factorize(double shift) {
  ++work_->factorizations;
  return factor_->factorize(shift);
}

void ShiftedCholesky::solve_in_place(Vector& x) {
  ++work_->triangular_solves;
  factor_->solve_in_place(x);
}

}  // namespace frictionbench
