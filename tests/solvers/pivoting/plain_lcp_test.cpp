#include "solvers/pivoting/plain_lcp.hpp"

#include <gtest/gtest.h>

#include <random>

namespace frictionbench::solvers {
namespace {

using test::lcp;
using test::plain_methods;
using test::vector;
using test::violation;

Matrix matrix(Index n, const std::vector<double>& rows) {
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      rows.data(), n, n);
}

// Murty's family: 1 on the diagonal, 2 below it, q_i = -(2^n + ... + 2^(n-i+1)) (Math. Program. Study
// 7 (1978)).
Lcp murty(Index n) {
  Matrix M = Matrix::Identity(n, n);
  M.triangularView<Eigen::StrictlyLower>().setConstant(2);
  Vector q(n);
  double sum = 0;
  for (Index i = 0; i < n; ++i) q[i] = sum -= std::ldexp(1.0, static_cast<int>(n - i));
  return lcp(M, q);
}

TEST(PlainLcp, NonnegativeQNeedsNoPivot) {
  const Lcp problem = lcp(matrix(2, {-1, -2, -3, -4}), vector({0, 3}));
  for (const auto& method : plain_methods()) {
    WorkCounters work;
    const LcpAnswer answer = method.solve(problem, {.work = work});
    EXPECT_EQ(answer.end, LcpEnd::solved) << method.name;
    EXPECT_EQ(answer.z, vector({0, 0})) << method.name;
    EXPECT_EQ(work.pivots, 0) << method.name;
  }
}

// Their solutions are unique: the matrices have positive principal minors.
TEST(PlainLcp, KnownAnswers) {
  struct Known {
    Lcp problem;
    Vector z;
  };
  const std::vector<Known> all = {
      // Cottle, Pang, Stone, The Linear Complementarity Problem, 4.4.
      {lcp(matrix(2, {2, 1, 1, 2}), vector({-5, -6})), vector({4.0 / 3, 7.0 / 3})},
      {lcp(matrix(2, {1, 0, 2, 1}), vector({-4, -6})), vector({4, 0})},
      {lcp(matrix(3, {1, -1, 0, -1, 2, -1, 0, -1, 3}), vector({-1, 2, -4})),
       vector({1.5, 0.5, 1.5})},
  };
  for (const auto& [problem, z] : all) {
    ASSERT_LE(violation(problem, z), 1e-12);
    for (const auto& method : plain_methods()) {
      WorkCounters work;
      const LcpAnswer answer = method.solve(problem, {.work = work});
      ASSERT_EQ(answer.end, LcpEnd::solved) << method.name;
      EXPECT_TRUE(answer.z.isApprox(z, 1e-12)) << method.name << ": " << answer.z.transpose();
    }
  }
}

TEST(PlainLcp, MurtysFamilyTakesTwoToTheNPivots) {
  for (const Index n : {2, 3, 5, 8, 10, 12}) {
    WorkCounters work;
    const LcpAnswer answer = lemke(murty(n), {}, {}, {.work = work});
    ASSERT_EQ(answer.end, LcpEnd::solved);
    Vector z = Vector::Zero(n);
    z[0] = std::ldexp(1.0, static_cast<int>(n));
    EXPECT_TRUE(answer.z.isApprox(z, 1e-10));
    EXPECT_EQ(work.pivots, std::int64_t{1} << n);
    EXPECT_EQ(answer.active, std::vector<Index>{0});
  }
}

// Whose solution is the frictionless one of the test above: no pivot is left to make.
TEST(PlainLcp, StartAtTheSolutionNeedsNoPivot) {
  WorkCounters work;
  EXPECT_EQ(lemke(murty(8), {0}, {}, {.work = work}).end, LcpEnd::solved);
  EXPECT_EQ(pivot_search(murty(8), {0}, {}, {.work = work}).end, LcpEnd::solved);
  EXPECT_EQ(work.pivots, 0);
}

// -z - 1 >= 0 has no solution.
TEST(PlainLcp, InfeasibleProblemsEndWithoutAnAnswer) {
  const Lcp problem = lcp(matrix(2, {-1, 0, 0, 1}), vector({-1, -2}));
  for (const auto& method : plain_methods()) {
    WorkCounters work;
    const LcpEnd end = method.solve(problem, {.work = work}).end;
    EXPECT_TRUE(end == LcpEnd::ray || end == LcpEnd::exhausted) << method.name;
  }
  WorkCounters work;
  EXPECT_EQ(lemke(problem, {}, {}, {.work = work}).end, LcpEnd::ray);
}

// Kostreva's matrix (Math. Program. 16 (1979)) has positive principal minors, but all ratios tie.
TEST(PlainLcp, LowestIndexCyclesOnAPMatrix) {
  const Lcp problem = lcp(matrix(3, {1, 2, 0, 0, 1, 2, 2, 0, 1}), vector({-1, -1, -1}));
  WorkCounters work;
  EXPECT_EQ(lemke(problem, {}, {}, {.work = work}).end, LcpEnd::cycle);
  const Vector z = Vector::Constant(3, 1.0 / 3);
  for (const auto& method : {test::plain_methods()[1], test::plain_methods()[2]}) {
    const LcpAnswer answer = method.solve(problem, {.work = work});
    ASSERT_EQ(answer.end, LcpEnd::solved) << method.name;
    EXPECT_TRUE(answer.z.isApprox(z, 1e-12)) << method.name;
  }
}

TEST(PlainLcp, LowestIndexIsBackAfterSixPivots) {
  const Lcp problem = lcp(matrix(3, {-1, 1, 1, 2, -1, 1, -2, -1, -1}), vector({-1, -1, 0}));
  WorkCounters work;
  EXPECT_EQ(lemke(problem, {}, {}, {.work = work}).end, LcpEnd::cycle);
  EXPECT_EQ(work.pivots, 6);
  EXPECT_NE(lemke(problem, {}, {.lexicographic = 0}, {.work = work}).end, LcpEnd::cycle);
  EXPECT_NE(pivot_search(problem, {}, {}, {.work = work}).end, LcpEnd::cycle);
}

TEST(PlainLcp, PMatricesAgreeWithEnumeration) {
  std::mt19937 generator(11);
  for (int trial = 0; trial < 300; ++trial) {
    const Index n = 1 + trial % 10;
    // The symmetric part is positive definite, so all principal minors are positive.
    const Matrix B = test::random_matrix(n, n, generator);
    const Matrix C = test::random_matrix(n, n, generator);
    const Matrix M = B * B.transpose() + 0.1 * Matrix::Identity(n, n) + C - C.transpose();
    const Vector q = test::random_matrix(n, 1, generator);
    const auto z = test::solved_by_enumeration(M, q);
    ASSERT_TRUE(z);
    for (const auto& method : plain_methods())
      for (const bool refine : {false, true}) {
        WorkCounters work;
        const auto accept = [&](const Vector& found) {
          return violation(lcp(M, q), found) < 1e-9;  // the search may come near sooner
        };
        const LcpAnswer answer =
            method.solve(lcp(M, q), {.work = work, .accept = accept, .refine = refine});
        ASSERT_EQ(answer.end, LcpEnd::solved) << method.name << ", problem " << trial;
        EXPECT_LT((answer.z - *z).norm(), 1e-8 * (1 + z->norm())) << method.name;
      }
  }
}

// Every end but `solved` has an equally true statement: claims are checked, not wanted.
TEST(PlainLcp, ClaimsOnDegenerateProblemsHold) {
  std::mt19937 generator(3);
  int solved = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const Index n = 2 + trial % 5;
    const auto entry = [&] { return static_cast<double>(static_cast<int>(generator() % 5) - 2); };
    const Matrix M = Matrix::NullaryExpr(n, n, entry);
    const Vector q = Vector::NullaryExpr(n, [&] { return -static_cast<double>(generator() % 2); });
    for (const auto& method : plain_methods()) {
      WorkCounters work;
      const LcpAnswer answer = method.solve(lcp(M, q), {.work = work});
      if (answer.end != LcpEnd::solved) continue;
      ++solved;
      EXPECT_LT(violation(lcp(M, q), answer.z), 1e-2) << method.name << ", problem " << trial;
    }
  }
  EXPECT_GT(solved, 1000);
}

TEST(PlainLcp, LimitsEndEveryMethod) {
  for (const auto& method : plain_methods()) {
    WorkCounters work;
    int left = 5;
    const PivotRun run{.work = work, .begin_pivot = [&] { return left-- > 0; }};
    EXPECT_EQ(method.solve(murty(8), run).end, LcpEnd::interrupted) << method.name;
    EXPECT_LE(work.pivots, 5) << method.name;
  }
  WorkCounters work;
  EXPECT_EQ(pivot_search(murty(12), {}, {}, {.work = work, .memory = 20000}).end, LcpEnd::memory);
  EXPECT_EQ(lemke(murty(12), {0, 1, 2, 3, 4, 5}, {}, {.work = work, .memory = 100}).end,
            LcpEnd::memory);
}

TEST(PlainLcp, FactorisationsAreCountedAndChangeNothing) {
  WorkCounters often, seldom;
  const Vector z = lemke(murty(6), {}, {}, {.work = often, .most_pivots = 3}).z;
  EXPECT_TRUE(z.isApprox(lemke(murty(6), {}, {}, {.work = seldom, .most_pivots = 1000}).z, 1e-10));
  EXPECT_EQ(often.pivots, seldom.pivots);
  EXPECT_GE(often.factorizations.lu, 64 / 3);
  EXPECT_EQ(seldom.factorizations.lu, 0);  // the first basis is the unit matrix
}

}  // namespace
}  // namespace frictionbench::solvers
