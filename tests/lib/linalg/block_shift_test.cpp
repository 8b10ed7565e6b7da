// Factorisations of a matrix plus diagonal blocks: every one of them against a dense one.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <limits>

#include "frictionbench/linalg/dual_matrix.hpp"
#include "frictionbench/linalg/shifted_cholesky.hpp"
#include "frictionbench/linalg/shifted_lu.hpp"
#include "frictionbench/problem/facts.hpp"
#include "support/problems.hpp"

namespace frictionbench {
namespace {

// Tridiagonal by contact, with blocks of which only the diagonal and one corner are stored.
SparseMatrix chain(Index contacts, double asymmetry = 0) {
  const Index m = 3 * contacts;
  Matrix A = Matrix::Zero(m, m);
  A.diagonal() = Vector::LinSpaced(m, 3, 6);
  for (Index i = 0; i + 3 < m; ++i) A(i, i + 3) = A(i + 3, i) = -1;
  for (Index i = 0; i + 4 < m; i += 3) A(i, i + 4) += asymmetry;
  return test::sparse(A);
}

// Contacts on a cubic grid, each acting on its neighbours: a factor of it fills in.
SparseMatrix cube(Index edge) {
  std::vector<Eigen::Triplet<double>> entries;
  const Index steps[] = {1, edge, edge * edge}, contacts = edge * edge * edge;
  for (Index i = 0; i < contacts; ++i) {
    for (Index k = 0; k < 3; ++k) entries.emplace_back(3 * i + k, 3 * i + k, 7);
    for (const Index step : steps) {
      if (i / step % edge + 1 == edge) continue;
      for (Index k = 0; k < 3; ++k) {
        entries.emplace_back(3 * i + k, 3 * (i + step) + k, -1);
        entries.emplace_back(3 * (i + step) + k, 3 * i + k, -1);
      }
    }
  }
  SparseMatrix A(3 * contacts, 3 * contacts);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

SparseMatrix full(Index contacts) {
  return symmetric_part(test::random_problem(3, contacts, 3 * contacts, 11).local().W);
}

BlockDiagonal blocks(Index contacts, double size, double asymmetry = 0) {
  BlockDiagonal blocks(3, contacts);
  for (Index i = 0; i < contacts; ++i) {
    const Eigen::Vector3d axis(1, 0.1 * static_cast<double>(i), -0.5);
    blocks.block(i) = size * (axis * axis.transpose() + 0.1 * Matrix::Identity(3, 3));
    blocks.block(i)(0, 2) += size * asymmetry;
  }
  return blocks;
}

Matrix dense(const BlockDiagonal& blocks) {
  Matrix matrix = Matrix::Zero(blocks.order(), blocks.order());
  const BlockShape& shape = blocks.shape();
  for (Index i = 0; i < blocks.blocks(); ++i)
    matrix.block(shape.start(i), shape.start(i), shape.rows(i), shape.rows(i)) = blocks.block(i);
  return matrix;
}

Vector right_hand_side(Index m) { return Vector::LinSpaced(m, -1, 2); }

TEST(BlockDiagonal, MultipliesAsTheWholeMatrix) {
  const BlockDiagonal D = blocks(4, 2, 0.3);
  const Vector x = right_hand_side(D.order());
  EXPECT_EQ(D.order(), 12);
  EXPECT_EQ(D.blocks(), 4);
  EXPECT_LE((D.times(x) - dense(D) * x).norm(), 1e-14);
}

TEST(BlockDiagonal, IsSparseWithEveryEntryOfItsBlocksStored) {
  BlockDiagonal D = blocks(4, 2, 0.3);
  D.block(1).setZero();
  EXPECT_EQ(Matrix(sparse(D)), dense(D));
  EXPECT_EQ(sparse(D).nonZeros(), 36);
}

// The pattern of the first matrix serves for the others, zeros stored where they have none.
TEST(ShiftedCholesky, EveryBackendTakesOtherValues) {
  for (const SparseMatrix& A : {chain(20), full(12)}) {
    const Vector b = right_hand_side(A.rows());
    for (const CholeskyBackend backend :
         {CholeskyBackend::dense, CholeskyBackend::simplicial, CholeskyBackend::supernodal}) {
      SCOPED_TRACE(std::string(name(backend)));
      WorkCounters work;
      ShiftedCholesky cholesky(A, work, backend);
      ASSERT_TRUE(cholesky.factorize(1.0));
      SparseMatrix other = 2 * A;
      other.coeffRef(0, 3) = other.coeffRef(3, 0) = 0;
      cholesky.change_values(other);
      ASSERT_TRUE(cholesky.factorize(0.0));
      Vector x = b;
      cholesky.solve_in_place(x);
      EXPECT_LE((x - Matrix(other).partialPivLu().solve(b)).norm(), 1e-10 * x.norm());
      EXPECT_EQ(work.factorizations.all(), 2);
      EXPECT_EQ(work.analyses, backend == CholeskyBackend::dense ? 0 : 1);
      cholesky.change_values(-A);
      EXPECT_FALSE(cholesky.factorize(0.0)) << "not positive definite";
    }
  }
}

TEST(ShiftedCholesky, TheDualRouteTakesNoOtherValues) {
  const ContactProblem problem = test::random_global_problem(3, 6, 1, 4);
  WorkCounters work;
  ShiftedCholesky cholesky(*problem.global(), {}, work);
  EXPECT_THROW(cholesky.change_values(problem.local().W), std::logic_error);
}

TEST(ShiftedCholesky, EveryBackendTakesBlocks) {
  for (const SparseMatrix& A : {chain(20), full(12)}) {
    const Index m = A.rows();
    const Vector b = right_hand_side(m);
    for (const CholeskyBackend backend :
         {CholeskyBackend::dense, CholeskyBackend::simplicial, CholeskyBackend::supernodal}) {
      SCOPED_TRACE(std::string(name(backend)));
      WorkCounters work;
      ShiftedCholesky cholesky(A, BlockShape(3, A.rows() / 3), work, backend);
      for (const double size : {1.0, 1e4, 1e-4}) {
        const BlockDiagonal D = blocks(m / 3, size);
        ASSERT_TRUE(cholesky.factorize(D));
        const Matrix shifted = Matrix(A) + dense(D);
        Vector x = b;
        cholesky.solve_in_place(x);
        EXPECT_LE((x - shifted.partialPivLu().solve(b)).norm(), 1e-10 * x.norm());
      }
      EXPECT_EQ(work.factorizations.all(), 3);
      EXPECT_EQ(work.triangular_solves, 3);
      EXPECT_EQ(work.analyses, backend == CholeskyBackend::dense ? 0 : 1);
    }
  }
}

TEST(ShiftedCholesky, TakesBlocksDiagonalsAndNumbersInTurn) {
  const SparseMatrix A = chain(20);
  const Vector b = right_hand_side(A.rows());
  const Vector diagonal = Vector::LinSpaced(A.rows(), 0.1, 3);
  const BlockDiagonal D = blocks(20, 5);
  for (const CholeskyBackend backend : {CholeskyBackend::dense, CholeskyBackend::simplicial}) {
    WorkCounters work;
    ShiftedCholesky cholesky(A, BlockShape(3, A.rows() / 3), work, backend);
    const auto expect_solves = [&](const Matrix& shift) {
      Vector x = b;
      cholesky.solve_in_place(x);
      EXPECT_LE((A * x + shift * x - b).norm(), 1e-12 * b.norm());
    };
    ASSERT_TRUE(cholesky.factorize(D));
    expect_solves(dense(D));
    ASSERT_TRUE(cholesky.factorize(diagonal));
    expect_solves(diagonal.asDiagonal());
    ASSERT_TRUE(cholesky.factorize(2));
    expect_solves(2 * Matrix::Identity(A.rows(), A.rows()));
    ASSERT_TRUE(cholesky.factorize(D));
    expect_solves(dense(D));
  }
}

TEST(ShiftedCholesky, SaysWhenBlocksAreNotPositiveDefiniteAndRecovers) {
  for (const CholeskyBackend backend : {CholeskyBackend::dense, CholeskyBackend::simplicial}) {
    WorkCounters work;
    ShiftedCholesky cholesky(chain(5), BlockShape(3, 5), work, backend);
    EXPECT_FALSE(cholesky.factorize(blocks(5, -100)));
    EXPECT_TRUE(cholesky.factorize(blocks(5, 1)));
  }
}

TEST(ShiftedCholesky, RefusesBlocksThatItWasNotMadeFor) {
  WorkCounters work;
  ShiftedCholesky diagonal_only(chain(5), work, CholeskyBackend::simplicial);
  EXPECT_THROW((void)diagonal_only.factorize(blocks(5, 1)), std::logic_error);
  const ContactProblem problem = test::random_global_problem(3, 20, 5, 8);
  ShiftedCholesky dual(*problem.global(), {}, work);
  EXPECT_THROW((void)dual.factorize(blocks(20, 1)), std::logic_error);
}

TEST(ShiftedLu, SolvesThroughTheGlobalForm) {
  const ContactProblem rigid = test::random_global_problem(3, 20, 5, 8);
  const Vector R = Vector::LinSpaced(60, 0, 0.5), b = right_hand_side(60);
  Vector E = Vector::LinSpaced(60, 0.5, 2);
  E.segment(4, 2).setZero();  // a contact without friction
  for (const ContactProblem& problem : {rigid, rigid.with_compliance(R)}) {
    WorkCounters work;
    ShiftedLu lu(*problem.global(), E, problem.compliance(), 3, work);
    for (const double size : {1.0, -1.0, 1e3, 1e-4}) {
      BlockDiagonal S = blocks(20, std::abs(size), 0.8);
      if (size < 0) S.block(3) *= size;  // det S_3 < 0
      ASSERT_TRUE(lu.factorize(S));
      const Matrix whole = E.asDiagonal() * Matrix(problem.local().W) * E.asDiagonal() + dense(S);
      Vector x = b;
      lu.solve_in_place(x);
      EXPECT_LE((whole * x - b).norm(), 1e-6 * b.norm()) << "with cancellation";
      EXPECT_EQ(lu.determinant_sign(), whole.determinant() > 0 ? 1 : -1);
    }
    EXPECT_EQ(work.factorizations.lu, 4);
    EXPECT_EQ(work.analyses, 1);
    EXPECT_FALSE(lu.factorize(BlockDiagonal(3, 20))) << "no D^-1";
    EXPECT_THROW((void)lu.factorize(blocks(20, 1), blocks(20, 1)), std::logic_error);
  }
}

TEST(DualMatrix, AddsUpContactByContact) {
  const ContactProblem problem = test::random_global_problem(3, 20, 5, 8);
  const GlobalForm& form = *problem.global();
  DualMatrix matrix(form.M, form.H, BlockShape(3, 20));
  EXPECT_EQ(Matrix(matrix.matrix()), Matrix(form.M));
  const Index stored = matrix.matrix().nonZeros();
  for (const double size : {2.0, 1e3}) {  // nothing is left of the one before
    const BlockDiagonal B = blocks(20, size, 0.7);
    const Matrix expected = Matrix(form.M) + Matrix(form.H) * dense(B) * Matrix(form.H).transpose();
    EXPECT_LE((Matrix(matrix.update(B)) - expected).norm(), 1e-13 * expected.norm());
    EXPECT_EQ(matrix.matrix().nonZeros(), stored);
  }
}

TEST(ShiftableMatrix, ScalesAndShiftsInWholeBlocks) {
  const SparseMatrix A = chain(6, 0.7);
  const BlockDiagonal T = blocks(6, 2, 0.5), S = blocks(6, 3, -0.4);
  ShiftableMatrix matrix(A, 3, ShiftableMatrix::Pattern::whole_blocks);
  const Index stored = matrix.matrix().nonZeros();
  EXPECT_EQ(stored, (6 + 2 * 5) * 9) << "a tridiagonal of blocks";
  matrix.scale_and_shift(T, S);
  EXPECT_LE((Matrix(matrix.matrix()) - dense(T) * Matrix(A) - dense(S)).norm(), 1e-13);
  matrix.shift(S);
  EXPECT_LE((Matrix(matrix.matrix()) - Matrix(A) - dense(S)).norm(), 1e-14);
  matrix.scale_and_shift(T, S);
  matrix.take_back();
  EXPECT_EQ(Matrix(matrix.matrix()), Matrix(A));
  EXPECT_EQ(matrix.matrix().nonZeros(), stored);
}

TEST(ShiftedLu, SolvesWithScaledRows) {
  for (const SparseMatrix& A : {chain(20, 0.7), full(12)}) {
    const Index contacts = A.rows() / 3;
    const Vector b = right_hand_side(A.rows());
    WorkCounters work;
    ShiftedLu lu(A, 3, work, ShiftableMatrix::Pattern::whole_blocks);
    EXPECT_EQ(lu.is_dense(), A.nonZeros() == A.rows() * A.cols());
    for (const double size : {1.0, 1e3, 1e-3}) {
      BlockDiagonal T = blocks(contacts, size, 0.3);
      T.block(1).setZero();  // rows of A that are left out
      const BlockDiagonal S = blocks(contacts, 1, 0.8);
      ASSERT_TRUE(lu.factorize(T, S));
      Vector x = b;
      lu.solve_in_place(x);
      EXPECT_LE((T.times(A * x) + S.times(x) - b).norm(), 1e-10 * b.norm());
    }
    ASSERT_TRUE(lu.factorize(blocks(contacts, 1, 0.8)));
    Vector x = b;
    lu.solve_in_place(x);
    EXPECT_LE((A * x + blocks(contacts, 1, 0.8).times(x) - b).norm(), 1e-11 * b.norm());
    EXPECT_EQ(work.factorizations.all(), 4);
    EXPECT_FALSE(lu.factorize(BlockDiagonal(3, contacts), BlockDiagonal(3, contacts)));
  }
}

TEST(ShiftedLu, SolvesWithUnsymmetricBlocks) {
  for (const SparseMatrix& A : {chain(20, 0.7), full(12)}) {
    const Vector b = right_hand_side(A.rows());
    WorkCounters work;
    ShiftedLu lu(A, 3, work);
    const bool is_full = A.nonZeros() == A.rows() * A.cols();
    EXPECT_EQ(lu.is_dense(), is_full);
    for (const double size : {1.0, 1e4, 1e-4}) {
      const BlockDiagonal S = blocks(A.rows() / 3, size, 0.8);
      ASSERT_TRUE(lu.factorize(S));
      Vector x = b;
      lu.solve_in_place(x);
      EXPECT_LE((A * x + S.times(x) - b).norm(), 1e-11 * b.norm());
    }
    EXPECT_EQ(work.factorizations.all(), 3);
    EXPECT_EQ(work.triangular_solves, 3);
    EXPECT_EQ(work.analyses, is_full ? 0 : 1);
  }
}

// Large enough for an ordering by nested dissection.
TEST(ShiftedLu, SolvesWhereFactorsFillIn) {
  constexpr Index edge = 15, contacts = edge * edge * edge;
  const SparseMatrix A = cube(edge);
  WorkCounters work;
  ShiftedLu lu(A, 3, work);
  EXPECT_EQ(work.analyses, 1);
  const Vector b = Vector::LinSpaced(A.rows(), -1, 2);
  for (const double size : {1e-3, 10.0}) {
    const BlockDiagonal shift = blocks(contacts, size, 0.5);
    ASSERT_TRUE(lu.factorize(shift));
    EXPECT_EQ(lu.determinant_sign(), 1);
    Vector x = b;
    lu.solve_in_place(x);
    EXPECT_LE((A * x + shift.times(x) - b).norm(), 1e-11 * b.norm()) << size;
  }
}

TEST(ShiftedLu, SaysWhenTheMatrixCannotBeFactored) {
  BlockDiagonal opposite(3, 2), unbounded(3, 2);
  unbounded.block(0)(1, 1) = std::numeric_limits<double>::quiet_NaN();
  Matrix A = Matrix::Zero(6, 6);
  A.diagonal().setConstant(2);
  for (Index i = 0; i < 2; ++i) opposite.block(i).diagonal().setConstant(-2);
  for (const bool is_full : {false, true}) {
    if (is_full) A.array() += 1e-30;  // stored, and without weight
    SCOPED_TRACE(is_full);
    WorkCounters work;
    ShiftedLu lu(test::sparse(A), 3, work);
    ASSERT_EQ(lu.is_dense(), is_full);
    if (!is_full) {
      EXPECT_FALSE(lu.factorize(opposite)) << "A + S = 0";
    }
    EXPECT_FALSE(lu.factorize(unbounded));
    EXPECT_TRUE(lu.factorize(BlockDiagonal(3, 2))) << "and recovers";
  }
}

// Sizes at which the determinant itself overflows, and both signs.
TEST(ShiftedLu, KnowsTheSignOfTheDeterminant) {
  for (const SparseMatrix& A : {full(12), chain(400)}) {
    WorkCounters work;
    ShiftedLu lu(A, 3, work);
    BlockDiagonal S(3, A.rows() / 3);
    ASSERT_TRUE(lu.factorize(S));
    EXPECT_EQ(lu.determinant_sign(), 1) << "positive definite";
    S.block(1).diagonal().setConstant(-1e3);
    ASSERT_TRUE(lu.factorize(S));
    EXPECT_EQ(lu.determinant_sign(), -1) << "three negative eigenvalues";
    S.block(2)(0, 0) = -1e3;
    ASSERT_TRUE(lu.factorize(S));
    EXPECT_EQ(lu.determinant_sign(), 1) << "four";
  }
}

}  // namespace
}  // namespace frictionbench
