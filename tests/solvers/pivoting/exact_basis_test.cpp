#include "frictionbench/solvers/pivoting/exact_basis.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "plain_lcp.hpp"
#include "support/limits.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench::solvers {
namespace {

using test::lcp;
using test::random_matrix;
using test::solve;
using test::vector;

class ExactBasis : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_rational_arithmetic()) GTEST_SKIP() << "built without QSopt_ex";
  }
};

// w = 3 z - 0.3, and z - 0.1: the double 0.3 is less than three times the double 0.1, by 2.8e-17, so
// the second w is -9.3e-18. In doubles 3 * 0.1 - 0.3 is 5.6e-17.
TEST_F(ExactBasis, SeesSignsThatRoundingHides) {
  const Lcp problem = lcp(Matrix{{3, 0}, {1, 1}}, vector({-0.3, -0.1}));
  EXPECT_EQ(exact_signs(problem, {0}, 0), ExactSigns::negative);
  EXPECT_EQ(exact_signs(problem, {0}, 9e-18), ExactSigns::negative);
  EXPECT_EQ(exact_signs(problem, {0}, 1e-17), ExactSigns::rounding);
  EXPECT_EQ(exact_signs(problem, {0, 1}, 0), ExactSigns::nonnegative);
  EXPECT_EQ(exact_signs(problem, {}, 0.2), ExactSigns::negative);
  EXPECT_EQ(exact_signs(problem, {}, 0.3), ExactSigns::rounding);
}

TEST_F(ExactBasis, SingularBasesMayHaveSolutions) {
  EXPECT_EQ(exact_signs(lcp(Matrix{{0, 1}, {-1, 0}}, vector({1, -1})), {0}, 1e9),
            ExactSigns::negative);
  const Matrix ones = Matrix::Ones(2, 2);
  EXPECT_EQ(exact_signs(lcp(ones, vector({-1, -1})), {0, 1}, 0), ExactSigns::nonnegative);
  EXPECT_EQ(exact_signs(lcp(ones, vector({-1, -2})), {0, 1}, 1e9), ExactSigns::negative);
}

// A P-matrix has one solution for every q (Cottle, Pang, Stone 3.3.7): of all bases one is right.
TEST_F(ExactBasis, OneBasisSolvesWithPMatrix) {
  std::mt19937 generator(5);
  for (int trial = 0; trial < 5; ++trial) {
    const Index n = 4;
    const Matrix A = random_matrix(n, n, generator), skew = random_matrix(n, n, generator);
    const Lcp problem =
        lcp(A * A.transpose() + 0.1 * Matrix::Identity(n, n) + skew - skew.transpose(),
            random_matrix(n, 1, generator));
    int right = 0;
    for (unsigned set = 0; set < 1u << n; ++set) {
      std::vector<Index> active;
      for (Index j = 0; j < n; ++j)
        if (set >> j & 1u) active.push_back(j);
      right += exact_signs(problem, active, 0) == ExactSigns::nonnegative;
    }
    EXPECT_EQ(right, 1);
  }
}

// What solvers report of their answers: definite problems have bases that nothing ties, and pass.
TEST_F(ExactBasis, SolversReportIt) {
  std::mt19937 generator(6);
  std::map<double, int> counts;
  for (int trial = 0; trial < 20; ++trial) {
    const Matrix J = random_matrix(6, 8, generator);
    const ContactProblem problem(
        3, Vector::Constant(2, 0.5),
        LocalForm{test::sparse(J * J.transpose()), random_matrix(6, 1, generator)});
    const std::string solver = "lcp-pivot-search(confirm=true)";
    const Result result = solve(solver, problem, test::limits(1e-9));
    ASSERT_EQ(result.status, Status::converged) << result.message;
    const auto found = result.reported.find("rational_signs");
    if (found != result.reported.end()) ++counts[found->second];
  }
  EXPECT_GE(counts[1], 10);
  EXPECT_EQ(counts[-1], 0);
}

TEST(ExactBasisWithoutLibrary, IsRefused) {
  if (has_rational_arithmetic()) GTEST_SKIP() << "built with QSopt_ex";
  const ContactProblem problem(3, vector({0.5}),
                               LocalForm{test::sparse(Matrix::Identity(3, 3)), vector({-1, 0, 0})});
  const Result result = solve("lcp-lemke(confirm=true)", problem, test::limits(1e-9));
  EXPECT_EQ(result.status, Status::refused);
  EXPECT_NE(result.message.find("libqsopt-ex-dev"), std::string::npos) << result.message;
}

}  // namespace
}  // namespace frictionbench::solvers
