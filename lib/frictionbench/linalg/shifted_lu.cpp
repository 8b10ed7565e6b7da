#include "frictionbench/linalg/shifted_lu.hpp"

#include <Eigen/LU>
#include <Eigen/UmfPackSupport>
#include <stdexcept>

#include "frictionbench/linalg/shifted_cholesky.hpp"

namespace frictionbench {

class ShiftedLu::Factor {
 public:
  virtual ~Factor() = default;
  /// \param rows T, or nullptr for the identity.
  virtual bool factorize(const BlockDiagonal* rows, const BlockDiagonal& blocks) = 0;
  virtual void solve_in_place(Vector& x) = 0;
  virtual int determinant_sign() const = 0;
};

class ShiftedLu::Dense final : public Factor {
 public:
  explicit Dense(const SparseMatrix& A) : A_(A), lu_(A.rows()) {}

  bool factorize(const BlockDiagonal* rows, const BlockDiagonal& blocks) override {
    Matrix shifted = A_;
    const BlockShape& shape = blocks.shape();
    for (Index i = 0; i < blocks.blocks(); ++i) {
      const Index start = shape.start(i), size = shape.rows(i);
      if (rows) shifted.middleRows(start, size) = rows->block(i) * A_.middleRows(start, size);
      shifted.block(start, start, size, size) += blocks.block(i);
    }
    lu_.compute(shifted);
    const auto pivots = lu_.matrixLU().diagonal().array();
    return pivots.isFinite().all() && (pivots != 0).all();
  }
  void solve_in_place(Vector& x) override { x = lu_.solve(x).eval(); }
  int determinant_sign() const override {
    const Index negative = (lu_.matrixLU().diagonal().array() < 0).count();
    return (negative % 2 == 0 ? 1 : -1) * static_cast<int>(lu_.permutationP().determinant());
  }

 private:
  Matrix A_;
  Eigen::PartialPivLU<Matrix> lu_;
};

namespace {

class Umfpack : public Eigen::UmfPackLU<ShiftableMatrix::ColumnMatrix> {
 public:
  explicit Umfpack(const ShiftableMatrix::ColumnMatrix& pattern) {
    umfpackControl()(UMFPACK_IRSTEP) = 0;  // callers refine, with their own residual
    const double of_amd = analysed_operations(pattern, UMFPACK_ORDERING_AMD);
    // Nested dissection takes about as long as a factorisation, and then saves a fifth to a half of each.
    // The bound is on UMFPACK's estimate, which is 20 to 40 times what a factorisation takes.
    constexpr double expensive = 1e10;
    if (of_amd > expensive && !(analysed_operations(pattern, UMFPACK_ORDERING_METIS) < of_amd))
      analysed_operations(pattern, UMFPACK_ORDERING_AMD);
  }

  // Eigen's determinant() overflows where only the sign is wanted.
  int determinant_sign() const {
    double mantissa = 0, exponent = 0;
    Eigen::umfpack_get_determinant(&mantissa, &exponent, m_numeric, nullptr, StorageIndex());
    return mantissa < 0 ? -1 : 1;
  }

 private:
  // Analyses the pattern, for factorisations to come. \returns the operations that one takes, an estimate
  // from above.
  double analysed_operations(const ShiftableMatrix::ColumnMatrix& pattern, int ordering) {
    umfpackControl()(UMFPACK_ORDERING) = ordering;
    analyzePattern(pattern);
    if (info() != Eigen::Success) throw std::runtime_error("UMFPACK could not analyse the matrix");
    return m_umfpackInfo(UMFPACK_FLOPS_ESTIMATE);
  }
};

}  // namespace

class ShiftedLu::Sparse final : public Factor {
 public:
  Sparse(const SparseMatrix& A, const BlockShape& shape, ShiftableMatrix::Pattern pattern)
      : A_(A, shape, pattern), lu_(A_.matrix()) {}

  bool factorize(const BlockDiagonal* rows, const BlockDiagonal& blocks) override {
    // The values stay, because UMFPACK reads the matrix again when it solves.
    if (rows)
      A_.scale_and_shift(*rows, blocks);
    else
      A_.shift(blocks);
    lu_.factorize(A_.matrix());
    return lu_.info() == Eigen::Success;
  }
  void solve_in_place(Vector& x) override { x = lu_.solve(x).eval(); }
  int determinant_sign() const override { return lu_.determinant_sign(); }

 private:
  ShiftableMatrix A_;
  Umfpack lu_;
};

class ShiftedLu::Dual final : public Factor {
 public:
  Dual(const GlobalForm& form, const Vector& E, const Vector& R, Index block)
      : M_(form.M),
        G_(form.H * E.asDiagonal()),
        G_transposed_(G_.transpose()),
        compliance_(R.size() > 0 ? Vector(E.cwiseAbs2().cwiseProduct(R)) : Vector::Zero(E.size())),
        inverse_(block, E.size() / block),
        middle_(middle()),
        lu_(middle_) {}

  bool factorize(const BlockDiagonal* rows, const BlockDiagonal& blocks) override {
    if (rows) throw std::logic_error("factorisation through the global form scales no rows");
    const BlockShape& shape = blocks.shape();
    sign_ = 1;
    for (Index i = 0; i < blocks.blocks(); ++i) {
      Matrix D = blocks.block(i);
      D.diagonal() += compliance_.segment(shape.start(i), shape.rows(i));
      const Eigen::PartialPivLU<Matrix> lu(D);
      inverse_.block(i) = lu.inverse();
      if (lu.determinant() < 0) sign_ = -sign_;
    }
    if (!inverse_.values().allFinite()) return false;
    middle_ = middle();
    lu_.factorize(middle_);
    return lu_.info() == Eigen::Success;
  }
  void solve_in_place(Vector& x) override {
    x = inverse_.times(x);
    const Vector velocity = lu_.solve(Vector(G_ * x));
    x -= inverse_.times(G_transposed_ * velocity);
  }
  // det(A + S) = det D det(M + G D^-1 G^T) / det M, and M is positive definite.
  int determinant_sign() const override { return sign_ * lu_.determinant_sign(); }

 private:
  ShiftableMatrix::ColumnMatrix middle() const {  // M + G D^-1 G^T
    const SparseMatrix scaled = G_ * sparse(inverse_);
    return ShiftableMatrix::ColumnMatrix(M_ + SparseMatrix(scaled * G_transposed_));
  }

  SparseMatrix M_;                        // n x n
  SparseMatrix G_, G_transposed_;         // n x m and m x n
  Vector compliance_;                     // the diagonal of E R E
  BlockDiagonal inverse_;                 // D^-1
  ShiftableMatrix::ColumnMatrix middle_;  // stays, because UMFPACK reads it again when it solves
  Umfpack lu_;
  int sign_ = 1;  // of det D
};

ShiftedLu::ShiftedLu(const SparseMatrix& A, const BlockShape& shape, WorkCounters& work,
                     ShiftableMatrix::Pattern pattern)
    : work_(&work) {
  // The bounds are those of Cholesky; an LU fills in about as much.
  const CholeskyRule rule;
  const double entries = static_cast<double>(A.rows()) * static_cast<double>(A.cols());
  if (A.rows() <= rule.largest_dense && static_cast<double>(A.nonZeros()) > rule.filled * entries) {
    factor_ = std::make_unique<Dense>(A);
  } else {
    factor_ = std::make_unique<Sparse>(A, shape, pattern);
    ++work_->analyses;
  }
}

ShiftedLu::ShiftedLu(const GlobalForm& form, const Vector& E, const Vector& R, Index block,
                     WorkCounters& work)
    : work_(&work), factor_(std::make_unique<Dual>(form, E, R, block)) {
  ++work_->analyses;
}

ShiftedLu::~ShiftedLu() = default;
ShiftedLu::ShiftedLu(ShiftedLu&&) noexcept = default;
ShiftedLu& ShiftedLu::operator=(ShiftedLu&&) noexcept = default;

bool ShiftedLu::factorize(const BlockDiagonal& blocks) {
  ++work_->factorizations.lu;
  return factor_->factorize(nullptr, blocks);
}

bool ShiftedLu::factorize(const BlockDiagonal& rows, const BlockDiagonal& blocks) {
  ++work_->factorizations.lu;
  return factor_->factorize(&rows, blocks);
}

void ShiftedLu::solve_in_place(Vector& x) {
  ++work_->triangular_solves;
  factor_->solve_in_place(x);
}

int ShiftedLu::determinant_sign() const { return factor_->determinant_sign(); }

bool ShiftedLu::is_dense() const { return dynamic_cast<const Dense*>(factor_.get()) != nullptr; }

}  // namespace frictionbench
