#include "frictionbench/linalg/shifted_cholesky.hpp"

#include <cholmod.h>

#include <Eigen/Cholesky>
#include <stdexcept>

#include "frictionbench/linalg/shiftable_matrix.hpp"
#include "frictionbench/math/cholmod_memory.hpp"
#include "frictionbench/problem/facts.hpp"

namespace frictionbench {

/// L L^T = A + D for a fixed symmetric A (m x m) and changing D. Factors count no work.
class CholeskyFactor {
 public:
  virtual ~CholeskyFactor() = default;

  virtual void change_values(const SparseMatrix& A) = 0;
  virtual bool factorize(double shift) = 0;
  virtual bool factorize(const Vector& diagonal) = 0;
  virtual bool factorize(const BlockDiagonal& blocks) = 0;
  virtual void solve_in_place(Vector& x) = 0;
};

namespace {

class DenseFactor final : public CholeskyFactor {
 public:
  explicit DenseFactor(const SparseMatrix& A) : A_(A), llt_(A.rows()) {}

  void change_values(const SparseMatrix& A) override { A_ = A; }
  bool factorize(double shift) override {
    return factorize(Vector(Vector::Constant(A_.rows(), shift)));
  }
  bool factorize(const Vector& diagonal) override {
    shifted_ = A_;
    shifted_.diagonal() += diagonal;
    return compute();
  }
  bool factorize(const BlockDiagonal& blocks) override {
    shifted_ = A_;
    const BlockShape& shape = blocks.shape();
    for (Index i = 0; i < blocks.blocks(); ++i) {
      const Index start = shape.start(i), size = shape.rows(i);
      shifted_.block(start, start, size, size) += blocks.block(i);
    }
    return compute();
  }
  void solve_in_place(Vector& x) override { llt_.solveInPlace(x); }

 private:
  bool compute() {
    llt_.compute(shifted_);
    return llt_.info() == Eigen::Success;
  }

  Matrix A_;
  Matrix shifted_;
  Eigen::LLT<Matrix> llt_;
};

// CHOLMOD refactors A + beta I without a copy of A (cholmod_factorize_p) and keeps its work space
// between solves (cholmod_solve2).
class CholmodFactor final : public CholeskyFactor {
 public:
  enum class Method { simplicial, supernodal, by_operations };

  // \param supernodal_operations floating-point operations per entry of the factor from which
  // `by_operations` means supernodal. \param shape of the blocks that will be added; by default they
  // are diagonals.
  CholmodFactor(const SparseMatrix& A, Method method, double supernodal_operations)
      : CholmodFactor(A, BlockShape(1, A.rows()), method, supernodal_operations) {}
  CholmodFactor(const SparseMatrix& A, const BlockShape& shape, Method method,
                double supernodal_operations)
      : A_(A, shape) {
    cholmod_start(&common_);
    common_.print = 0;  // failures are return values, never text on the screen
    common_.supernodal = method == Method::by_operations ? CHOLMOD_AUTO
                         : method == Method::supernodal  ? CHOLMOD_SUPERNODAL
                                                         : CHOLMOD_SIMPLICIAL;
    common_.supernodal_switch = supernodal_operations;
    common_.final_ll = 1;
    common_.quick_return_if_not_posdef = 1;

    ColumnMatrix& matrix = A_.matrix();
    view_.nrow = view_.ncol = static_cast<std::size_t>(matrix.rows());
    view_.nzmax = static_cast<std::size_t>(matrix.nonZeros());
    view_.p = matrix.outerIndexPtr();
    view_.i = matrix.innerIndexPtr();
    view_.x = matrix.valuePtr();
    view_.stype = -1;  // use the lower triangle
    view_.itype = CHOLMOD_INT;
    view_.xtype = CHOLMOD_REAL;
    view_.dtype = CHOLMOD_DOUBLE;
    view_.sorted = 1;
    view_.packed = 1;
    factor_ = cholmod_analyze(&view_, &common_);
    if (factor_) return;
    const int status = common_.status;
    release();
    check_memory(status);
    throw std::runtime_error("CHOLMOD could not analyse the matrix");
  }
  ~CholmodFactor() override { release(); }
  CholmodFactor(const CholmodFactor&) = delete;
  CholmodFactor& operator=(const CholmodFactor&) = delete;

  void change_values(const SparseMatrix& A) override { A_.change_values(A); }
  bool factorize(double shift) override {
    double beta[2] = {shift, 0};
    cholmod_factorize_p(&view_, beta, nullptr, 0, factor_, &common_);
    check_memory(common_.status);
    return common_.status == CHOLMOD_OK && factor_->minor == factor_->n;
  }
  bool factorize(const Vector& diagonal) override { return factorize_shifted(diagonal); }
  bool factorize(const BlockDiagonal& blocks) override { return factorize_shifted(blocks); }
  void solve_in_place(Vector& x) override {
    cholmod_dense right{};
    right.nrow = right.d = right.nzmax = static_cast<std::size_t>(x.size());
    right.ncol = 1;
    right.x = x.data();
    right.xtype = CHOLMOD_REAL;
    right.dtype = CHOLMOD_DOUBLE;
    if (!cholmod_solve2(CHOLMOD_A, factor_, &right, nullptr, &solution_, nullptr, &work_y_,
                        &work_e_, &common_)) {
      check_memory(common_.status);
      throw std::runtime_error("CHOLMOD could not solve with its factor");
    }
    x = Eigen::Map<const Vector>(static_cast<const double*>(solution_->x), x.size());
  }

  bool is_supernodal() const { return factor_->is_super != 0; }
  double filled() const {  // fraction of the lower triangle that the factor fills
    const double n = static_cast<double>(A_.matrix().rows());
    return common_.lnz / (n * (n + 1) / 2);
  }

 private:
  template <typename Shift>
  bool factorize_shifted(const Shift& shift) {
    A_.shift(shift);
    const bool positive_definite = factorize(0.0);
    A_.take_back();
    return positive_definite;
  }
  void release() {
    cholmod_free_factor(&factor_, &common_);
    cholmod_free_dense(&solution_, &common_);
    cholmod_free_dense(&work_y_, &common_);
    cholmod_free_dense(&work_e_, &common_);
    cholmod_finish(&common_);
  }

  ShiftableMatrix A_;
  cholmod_common common_{};
  cholmod_sparse view_{};  // of A_
  cholmod_factor* factor_ = nullptr;
  cholmod_dense *solution_ = nullptr, *work_y_ = nullptr, *work_e_ = nullptr;
};

// W = H^T M^-1 H of a global form with fewer degrees of freedom n than unknowns m (hyperstatic
// contacts), by the Woodbury identity with D = diag(d) > 0, the shift and the compliance,
//
//     (D + H^T M^-1 H)^-1 = D^-1 - D^-1 H^T (M + H D^-1 H^T)^-1 H D^-1
//
// where only the n x n matrix in the middle is factored. M is replaced by its symmetric part.
class DualFactor final : public CholeskyFactor {
 public:
  DualFactor(const GlobalForm& form, const Vector& R, double supernodal_operations)
      : M_(symmetric_part(form.M)),
        H_(form.H),
        R_(R.size() > 0 ? R : Vector::Zero(form.H.cols())),
        inverse_diagonal_(Vector::Ones(form.H.cols())),
        factor_(middle(), CholmodFactor::Method::by_operations, supernodal_operations) {}

  void change_values(const SparseMatrix&) override {
    throw std::logic_error("factorisation through the global form cannot change the values of W");
  }
  bool factorize(double shift) override {
    return factorize(Vector(Vector::Constant(H_.cols(), shift)));
  }
  bool factorize(const Vector& diagonal) override {
    if (!(diagonal.minCoeff() > 0)) return false;
    inverse_diagonal_ = (diagonal + R_).cwiseInverse();
    factor_.change_values(middle());
    return factor_.factorize(0.0);
  }
  bool factorize(const BlockDiagonal&) override {
    throw std::logic_error("factorisation through the global form takes diagonal shifts only");
  }
  void solve_in_place(Vector& x) override {
    x = x.cwiseProduct(inverse_diagonal_);
    Vector velocity = H_ * x;
    factor_.solve_in_place(velocity);
    x -= inverse_diagonal_.cwiseProduct(H_.transpose() * velocity);
  }

 private:
  SparseMatrix middle() const {  // M + H D^-1 H^T
    const SparseMatrix scaled = H_ * inverse_diagonal_.asDiagonal();
    return M_ + SparseMatrix(scaled * SparseMatrix(H_.transpose()));
  }

  SparseMatrix M_;  // n x n, symmetric
  SparseMatrix H_;  // n x m
  Vector R_;        // m
  Vector inverse_diagonal_;
  CholmodFactor factor_;  // of middle(), so after its parts
};

double density_of(const SparseMatrix& A) {
  const double n = static_cast<double>(A.rows());
  return static_cast<double>(A.nonZeros()) / (n * n);
}

CholmodFactor::Method method_for(std::optional<CholeskyBackend> backend) {
  if (!backend) return CholmodFactor::Method::by_operations;
  return *backend == CholeskyBackend::supernodal ? CholmodFactor::Method::supernodal
                                                 : CholmodFactor::Method::simplicial;
}

}  // namespace

ShiftedCholesky::ShiftedCholesky(const SparseMatrix& A, BlockShape shape, WorkCounters& work,
                                 std::optional<CholeskyBackend> backend)
    : shape_(std::move(shape)), work_(&work) {
  if (backend == CholeskyBackend::dual)
    throw std::logic_error("this problem has no global form to factor");
  const CholeskyRule rule;
  const bool small = A.rows() <= rule.largest_dense;
  if (!backend && small && density_of(A) > rule.filled) backend = CholeskyBackend::dense;

  if (backend != CholeskyBackend::dense) {
    auto sparse =
        std::make_unique<CholmodFactor>(A, shape_, method_for(backend), rule.supernodal_operations);
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

ShiftedCholesky::ShiftedCholesky(const GlobalForm& form, const Vector& R, WorkCounters& work)
    : backend_(CholeskyBackend::dual),
      shape_(1, form.H.cols()),
      work_(&work),
      factor_(std::make_unique<DualFactor>(form, R, CholeskyRule().supernodal_operations)) {
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
  if (blocks.shape() != shape_)
    throw std::logic_error("block sizes differ from those of the analysis");
  ++work_->factorizations.cholesky;
  return factor_->factorize(blocks);
}

void ShiftedCholesky::solve_in_place(Vector& x) {
  ++work_->triangular_solves;
  factor_->solve_in_place(x);
}

}  // namespace frictionbench
