// LU on panels: its pattern against elimination on paper, its numbers against a dense LU.

#include "frictionbench/linalg/supernodal_lu.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

namespace frictionbench {
namespace {

std::vector<BlockShape> shapes() {
  return {BlockShape(3, 1), BlockShape(1, 60), BlockShape(3, 80),
          BlockShape({0, 3, 4, 10, 11, 13, 16, 22, 25, 26, 29})};
}

// Blocks on a ring, some of which touch others far away; every second entry beside the diagonal blocks is
// missing, also where its transpose is there. The diagonal blocks weigh most.
ColumnMatrix random_matrix(const BlockShape& shape, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> value(-1, 1);
  std::uniform_int_distribution<Index> any(0, shape.count() - 1);
  std::bernoulli_distribution stored(0.5);
  Matrix A = Matrix::Zero(shape.order(), shape.order());
  const auto fill = [&](Index i, Index j) {
    for (Index a = shape.start(i); a < shape.start(i + 1); ++a)
      for (Index b = shape.start(j); b < shape.start(j + 1); ++b)
        if (i == j || stored(generator)) A(a, b) = value(generator);
  };
  for (Index i = 0; i < shape.count(); ++i) {
    fill(i, i);
    for (const Index j : {(i + 1) % shape.count(), any(generator)}) {
      if (j == i) continue;
      fill(i, j);
      fill(j, i);
    }
    // Anywhere in the block's rows, so that they have to be exchanged.
    for (Index a = shape.start(i); a < shape.start(i + 1); ++a)
      A(a, shape.start(i) + shape.start(i + 1) - 1 - a) += stored(generator) ? 8 : -8;
  }
  return A.sparseView();
}

int sign(double value) { return value < 0 ? -1 : 1; }

TEST(SupernodalLu, SolvesAsADenseLuDoes) {
  for (const BlockShape& shape : shapes())
    for (const unsigned seed : {1U, 2U, 3U}) {
      const ColumnMatrix A = random_matrix(shape, seed);
      SupernodalLu lu(A, shape);
      const Vector b = Vector::LinSpaced(A.rows(), -1, 2);
      for (const double factor : {1.0, -0.5, 1e-200}) {  // the pattern is analysed once
        const ColumnMatrix scaled = factor * A;
        ASSERT_TRUE(lu.factorize(scaled));
        const Eigen::PartialPivLU<Matrix> dense{Matrix(A)};
        Vector x = b;
        lu.solve_in_place(x);
        EXPECT_LE((factor * x - dense.solve(b)).norm(), 1e-11 * x.norm() * std::abs(factor));
        const int odd = A.rows() % 2 == 1 && factor < 0 ? -1 : 1;
        EXPECT_EQ(lu.determinant_sign(), odd * sign(dense.determinant()));
      }
    }
}

TEST(SupernodalLu, ExchangesRowsOfABlock) {
  const BlockShape shape(3, 2);
  Matrix A = Matrix::Zero(6, 6);
  // Two permutations, neither with an entry on the diagonal.
  A(0, 1) = A(1, 2) = A(2, 0) = 2;
  A(3, 4) = A(4, 3) = 3, A(5, 5) = 3;
  A(0, 3) = A(3, 0) = 0.1;
  const ColumnMatrix sparse = A.sparseView();
  SupernodalLu lu(sparse, shape);
  ASSERT_TRUE(lu.factorize(sparse));
  const Vector b = Vector::LinSpaced(6, 1, 2);
  Vector x = b;
  lu.solve_in_place(x);
  EXPECT_LE((A * x - b).norm(), 1e-14);
  EXPECT_EQ(lu.determinant_sign(), sign(A.determinant()));
}

TEST(SupernodalLu, SaysWhenABlockIsSingularAndRecovers) {
  const BlockShape shape(3, 80);
  const ColumnMatrix A = random_matrix(shape, 4);
  SupernodalLu lu(A, shape);
  ColumnMatrix bad = A;
  bad.coeffRef(7, 7) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(lu.factorize(bad));
  EXPECT_FALSE(lu.factorize(ColumnMatrix(0 * A)));
  ASSERT_TRUE(lu.factorize(A));
  Vector x = Vector::Ones(A.rows());
  lu.solve_in_place(x);
  EXPECT_LE((A * x - Vector::Ones(A.rows())).norm(), 1e-11);
}

// The pattern of L by elimination of the ordered pattern, blocks full.
Eigen::MatrixX<bool> filled(const ColumnMatrix& A, const BlockShape& shape,
                            const std::vector<int>& order) {
  const Index m = A.rows();
  Eigen::MatrixX<bool> by_block = Eigen::MatrixX<bool>::Zero(shape.count(), shape.count());
  for (Index j = 0; j < m; ++j)
    for (ColumnMatrix::InnerIterator entry(A, j); entry; ++entry) {
      const Index i = shape.at_row(entry.row()), k = shape.at_row(j);
      by_block(i, k) = by_block(k, i) = true;
    }
  Eigen::MatrixX<bool> pattern(m, m);
  for (Index a = 0; a < m; ++a)
    for (Index b = 0; b < m; ++b)
      pattern(a, b) = by_block(shape.at_row(order[static_cast<std::size_t>(a)]),
                               shape.at_row(order[static_cast<std::size_t>(b)]));
  for (Index k = 0; k < m; ++k)
    for (Index a = k + 1; a < m; ++a)
      for (Index b = k + 1; b < m; ++b) pattern(a, b) |= pattern(a, k) && pattern(k, b);
  return pattern;
}

TEST(Supernodes, HoldTheFillAndKeepBlocksTogether) {
  for (const BlockShape& shape : shapes()) {
    const ColumnMatrix A = random_matrix(shape, 5);
    const Supernodes nodes = supernodes_of(A, shape);
    const auto m = static_cast<int>(A.rows());

    std::vector<int> sorted = nodes.order, all(static_cast<std::size_t>(m));
    std::ranges::sort(sorted);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(sorted, all) << "a permutation";

    const Eigen::MatrixX<bool> fill = filled(A, shape, nodes.order);
    ASSERT_EQ(nodes.starts.front(), 0);
    ASSERT_EQ(nodes.starts.back(), m);
    for (std::size_t s = 0; s < static_cast<std::size_t>(nodes.count()); ++s) {
      const int first = nodes.starts[s], last = nodes.starts[s + 1] - 1;
      const std::vector<int> rows(nodes.rows.begin() + nodes.rows_at[s],
                                  nodes.rows.begin() + nodes.rows_at[s + 1]);
      EXPECT_TRUE(std::ranges::is_sorted(rows));
      for (int column = first; column <= last; ++column) {
        EXPECT_EQ(rows[static_cast<std::size_t>(column - first)], column) << "its own come first";
        for (int row = column; row < m; ++row)
          if (fill(row, column)) {
            EXPECT_TRUE(std::ranges::binary_search(rows, row)) << row << ", " << column;
          }
      }
      if (last + 1 == m) continue;
      EXPECT_NE(shape.at_row(nodes.order[static_cast<std::size_t>(last)]),
                shape.at_row(nodes.order[static_cast<std::size_t>(last + 1)]))
          << "a block in two supernodes";
    }
  }
}

TEST(Supernodes, PredictTheCostOfADenseFactor) {
  const Index m = 30;
  const Matrix full = Matrix::Ones(m, m);
  const Supernodes nodes = supernodes_of(full.sparseView(), BlockShape(3, m / 3));
  EXPECT_EQ(nodes.count(), 1);
  EXPECT_EQ(nodes.cost.entries, 2 * m * m) << "a panel of L and one of U";
  double operations = 0;
  for (Index k = 1; k <= m; ++k) operations += static_cast<double>(2 * k * k);
  EXPECT_DOUBLE_EQ(nodes.cost.operations, operations);
}

TEST(BlocksOf, AreColumnsWithTheSameRows) {
  Matrix A = Matrix::Identity(7, 7);
  A.block(1, 1, 3, 3).setOnes();
  A.block(4, 4, 2, 2).setOnes();
  A.block(1, 4, 3, 2).setOnes();
  A.block(4, 1, 2, 3).setOnes();
  A(5, 6) = A(6, 5) = 1;
  EXPECT_EQ(blocks_of(A.sparseView()), BlockShape({0, 1, 5, 6, 7}));
}

}  // namespace
}  // namespace frictionbench
