#include "frictionbench/linalg/shifted_lu.hpp"

#include <Eigen/LU>
#include <stdexcept>
#include <utility>

#include "frictionbench/linalg/dual_matrix.hpp"
#include "frictionbench/linalg/shifted_cholesky.hpp"
#include "frictionbench/linalg/supernodal_lu.hpp"

namespace frictionbench {

class ShiftedLu::Factor {
 public:
  virtual ~Factor() = default;
  /// \param rows T, or nullptr for the identity.
  virtual bool factorize(const BlockDiagonal* rows, const BlockDiagonal& blocks) = 0;
  virtual void solve_in_place(Vector& x) = 0;
  virtual int determinant_sign() const = 0;
  virtual FactorCost cost() const = 0;
  virtual SharedSupernodes analysis() const = 0;
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
  FactorCost cost() const override {
    const double m = static_cast<double>(A_.rows());
    return {.operations = 2 * m * m * m / 3, .entries = m * m};
  }
  SharedSupernodes analysis() const override { return nullptr; }

 private:
  Matrix A_;
  Eigen::PartialPivLU<Matrix> lu_;
};

namespace {

SupernodalLu supernodal(const ColumnMatrix& pattern, const BlockShape& shape,
                        SharedSupernodes analysis, WorkCounters& work) {
  if (analysis) return SupernodalLu(pattern, std::move(analysis));
  ++work.analyses;
  return SupernodalLu(pattern, shape);
}

}  // namespace

class ShiftedLu::Sparse final : public Factor {
 public:
  Sparse(const SparseMatrix& A, const BlockShape& shape, ShiftableMatrix::Pattern pattern,
         SharedSupernodes analysis, WorkCounters& work)
      : A_(A, shape, pattern), lu_(supernodal(A_.matrix(), shape, std::move(analysis), work)) {}

  bool factorize(const BlockDiagonal* rows, const BlockDiagonal& blocks) override {
    if (rows)
      A_.scale_and_shift(*rows, blocks);
    else
      A_.shift(blocks);
    return lu_.factorize(A_.matrix());
  }
  void solve_in_place(Vector& x) override { lu_.solve_in_place(x); }
  int determinant_sign() const override { return lu_.determinant_sign(); }
  FactorCost cost() const override { return lu_.cost(); }
  SharedSupernodes analysis() const override { return lu_.analysis(); }

 private:
  ShiftableMatrix A_;
  SupernodalLu lu_;
};

class ShiftedLu::Dual final : public Factor {
 public:
  Dual(const GlobalForm& form, const Vector& E, const Vector& R, Index block,
       SharedSupernodes analysis, WorkCounters& work)
      : G_(form.H * E.asDiagonal()),
        G_transposed_(G_.transpose()),
        compliance_(R.size() > 0 ? Vector(E.cwiseAbs2().cwiseProduct(R)) : Vector::Zero(E.size())),
        inverse_(block, E.size() / block),
        middle_(form.M, G_, inverse_.shape()),
        lu_(supernodal(middle_.matrix(), blocks_of(middle_.matrix()), std::move(analysis), work)) {}

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
    return inverse_.values().allFinite() && lu_.factorize(middle_.update(inverse_));
  }
  void solve_in_place(Vector& x) override {
    x = inverse_.times(x);
    Vector velocity = G_ * x;
    lu_.solve_in_place(velocity);
    x -= inverse_.times(G_transposed_ * velocity);
  }
  // det(A + S) = det D det(M + G D^-1 G^T) / det M, and M is positive definite.
  int determinant_sign() const override { return sign_ * lu_.determinant_sign(); }
  FactorCost cost() const override { return lu_.cost(); }
  SharedSupernodes analysis() const override { return lu_.analysis(); }

 private:
  SparseMatrix G_, G_transposed_;  // n x m and m x n
  Vector compliance_;              // the diagonal of E R E
  BlockDiagonal inverse_;          // D^-1
  DualMatrix middle_;              // M + G D^-1 G^T
  SupernodalLu lu_;
  int sign_ = 1;  // of det D
};

ShiftedLu::ShiftedLu(const SparseMatrix& A, const BlockShape& shape, WorkCounters& work,
                     ShiftableMatrix::Pattern pattern, SharedSupernodes analysis)
    : work_(&work) {
  // The bounds are those of Cholesky; an LU fills in about as much.
  const CholeskyRule rule;
  const double entries = static_cast<double>(A.rows()) * static_cast<double>(A.cols());
  if (A.rows() <= rule.largest_dense && static_cast<double>(A.nonZeros()) > rule.filled * entries)
    factor_ = std::make_unique<Dense>(A);
  else
    factor_ = std::make_unique<Sparse>(A, shape, pattern, std::move(analysis), work);
}

ShiftedLu::ShiftedLu(const GlobalForm& form, const Vector& E, const Vector& R, Index block,
                     WorkCounters& work, SharedSupernodes analysis)
    : work_(&work), factor_(std::make_unique<Dual>(form, E, R, block, std::move(analysis), work)) {}

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

FactorCost ShiftedLu::cost() const { return factor_->cost(); }

SharedSupernodes ShiftedLu::analysis() const { return factor_->analysis(); }

bool ShiftedLu::is_dense() const { return dynamic_cast<const Dense*>(factor_.get()) != nullptr; }

}  // namespace frictionbench
