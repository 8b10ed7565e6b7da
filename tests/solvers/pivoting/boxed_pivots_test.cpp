#include "frictionbench/solvers/pivoting/boxed_pivots.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <limits>
#include <random>

#include "solvers/pivoting/plain_lcp.hpp"

namespace frictionbench::solvers {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Matrix random_spd(Index n, std::mt19937& generator) {
  const Matrix B = test::random_matrix(n, n, generator);
  return B * B.transpose() + 0.1 * Matrix::Identity(n, n);
}

TEST(GrowingLdlt, FollowsRowsThatComeAndGo) {
  std::mt19937 generator(7);
  const Index n = 12;
  const Matrix A = random_spd(n, generator);
  WorkCounters work;
  GrowingLdlt ldlt(n, work);
  std::vector<Index> rows;
  for (int step = 0; step < 500; ++step) {
    const auto i = static_cast<Index>(generator() % n);
    const auto place = std::find(rows.begin(), rows.end(), i);
    if (place != rows.end()) {
      ldlt.drop(place - rows.begin());
      rows.erase(place);
    } else {
      ASSERT_TRUE(ldlt.append(A(rows, i), A(i, i)));
      rows.push_back(i);
    }
    ASSERT_EQ(ldlt.size(), static_cast<Index>(rows.size()));
    if (rows.empty()) continue;
    const Vector b = test::random_matrix(ldlt.size(), 1, generator);
    const Vector expected = Matrix(A(rows, rows)).ldlt().solve(b);
    ASSERT_LT((ldlt.solve(b) - expected).norm(), 1e-9 * expected.norm()) << step;
  }
}

TEST(GrowingLdlt, RefusesWhatIsNotPositiveDefinite) {
  WorkCounters work;
  GrowingLdlt ldlt(2, work);
  ASSERT_TRUE(ldlt.append(Vector(), 4));
  EXPECT_FALSE(ldlt.append(test::vector({2}), 1));
  EXPECT_EQ(ldlt.size(), 1);
  EXPECT_EQ(ldlt.solve(test::vector({2})), test::vector({0.5}));
}

TEST(BoxedPivots, WithoutUpperBoundsItIsTheLcp) {
  std::mt19937 generator(8);
  for (int trial = 0; trial < 300; ++trial) {
    const Index n = 1 + trial % 10;
    const Matrix A = random_spd(n, generator);
    const Vector b = test::random_matrix(n, 1, generator);
    WorkCounters work;
    const PivotRun run{.work = work};
    BoxedPivots pivots(A, run);
    ASSERT_EQ(pivots.solve(b, [](Index, const Vector&) { return std::pair(0.0, infinity); }),
              LcpEnd::solved);
    const auto z = test::solved_by_enumeration(A, b);
    ASSERT_TRUE(z);
    EXPECT_LT((pivots.x() - *z).norm(), 1e-8 * (1 + z->norm()));
  }
}

TEST(BoxedPivots, EveryRowKeepsItsCondition) {
  std::mt19937 generator(9);
  std::uniform_real_distribution<double> uniform(0, 0.3);
  for (int trial = 0; trial < 300; ++trial) {
    const Index n = 1 + trial % 20;
    const Matrix A = random_spd(n, generator);
    const Vector b = test::random_matrix(n, 1, generator);
    const Vector lo = -Vector::NullaryExpr(n, [&] { return uniform(generator); });
    const Vector hi =
        Vector::NullaryExpr(n, [&](Index i) { return i % 3 == 0 ? infinity : uniform(generator); });
    WorkCounters work;
    const PivotRun run{.work = work};
    BoxedPivots pivots(A, run);
    ASSERT_EQ(pivots.solve(b, [&](Index i, const Vector&) { return std::pair(lo[i], hi[i]); }),
              LcpEnd::solved);
    const auto check = [&](const Vector& x, const Vector& w) {
      for (Index i = 0; i < n; ++i) {
        EXPECT_GE(x[i], lo[i] - 1e-12);
        EXPECT_LE(x[i], hi[i] + 1e-12);
        EXPECT_TRUE(x[i] <= lo[i] + 1e-12 || w[i] <= 1e-9);
        EXPECT_TRUE(x[i] >= hi[i] - 1e-12 || w[i] >= -1e-9);
      }
    };
    check(pivots.x(), A * pivots.x() + b);
    const Vector x = pivots.x();
    const std::int64_t before = work.pivots;
    if (!pivots.solve_by_last_sets(b, lo, hi)) continue;  // rounding at a bound
    EXPECT_EQ(work.pivots, before);
    EXPECT_LT((pivots.x() - x).norm(), 1e-9 * (1 + x.norm()));
  }
}

}  // namespace
}  // namespace frictionbench::solvers
