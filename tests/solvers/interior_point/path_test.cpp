#include <gtest/gtest.h>

#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/solvers/interior_point/path_series.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/real_files.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench::solvers {
namespace {

using test::limits;
using test::solve;

// Every way down the path by itself, because the first one solves most problems.
class NcpPath : public testing::TestWithParam<std::string> {
 protected:
  static Result solved(const ContactProblem& problem, const Limits& limits) {
    return solve("ncp-path(strategy=" + GetParam() + ")", problem, limits);
  }
};
INSTANTIATE_TEST_SUITE_P(Strategies, NcpPath, testing::Values("arclength", "sweeps"),
                         [](const auto& parameter) { return parameter.param; });

TEST_P(NcpPath, FindsTheAnswerOfAnotherMethod) {
  for (const int dimension : {2, 3}) {
    const ContactProblem problem = test::random_problem(dimension, 12, 60, 4, 0.1);
    const Result result = solved(problem, limits(1e-10));
    EXPECT_EQ(result.status, Status::converged) << result.message;
    const Result other = solve("ncp-nsgs", problem, limits(1e-12, 100000));
    EXPECT_LE((result.r - other.r).norm(), 1e-7 * other.r.norm()) << dimension;
  }
}

TEST_P(NcpPath, SolvesHyperstaticContactsAlsoWithoutFriction) {
  const ContactProblem given = test::random_problem(3, 30, 20, 17);
  Vector mu = given.mu();
  mu[4] = 0;
  const ContactProblem problem(3, mu, test::local_form(given));
  const Result result = solved(problem, limits(1e-9));
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_LE(judge(problem, result.r).ncp.max(), 1e-9);
}

// Two walls that press a contact each into one body: any impulse may be added to both, so that the
// CCP has no strictly feasible velocity, and no central path of its own.
TEST_P(NcpPath, SolvesContactsThatPressAgainstEachOther) {
  Matrix W(6, 6);
  W << Matrix::Identity(3, 3), -Matrix::Identity(3, 3), -Matrix::Identity(3, 3),
      Matrix::Identity(3, 3);
  const ContactProblem problem(3, test::vector({1, 1}),
                               LocalForm{test::sparse(W), test::vector({-1, 0.2, 0, 1, -0.2, 0})});
  const Result result = solved(problem, limits(1e-8));
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_LE(judge(problem, result.r).ncp.max(), 1e-8);
}

TEST_P(NcpPath, EndsAtTheLimits) {
  const ContactProblem problem = test::random_problem(3, 30, 20, 17);
  const Result result = solved(problem, limits(0, 12));
  EXPECT_EQ(result.status, Status::max_iterations);
  EXPECT_EQ(result.iterations, 12);
  EXPECT_LE(result.work.factorizations.cholesky + result.work.factorizations.lu, 12);
}

TEST_P(NcpPath, EndsWhereRoundingStopsIt) {
  const ContactProblem problem = test::random_problem(3, 30, 20, 17);
  const Result result = solved(problem, limits(0));
  EXPECT_NE(result.status, Status::converged);
  EXPECT_TRUE(result.r.allFinite());
  EXPECT_LE(judge(problem, result.r).ncp.max(), 1e-9);
}

// From the CCP at tau = 0.1 over eight decades: one factorisation per step.
TEST(NcpPathSeries, GoFarWithOneFactorization) {
  const ContactProblem problem = test::random_problem(3, 30, 20, 17);
  const Result result = solve("ncp-path(strategy=arclength)", problem, limits(1e-9));
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_EQ(result.work.sweeps, 0) << "no rescue";
  EXPECT_LE(result.work.factorizations.lu, 25);
}

constexpr const char* piles = "fclib/global/PrimitiveSoup";

ContactProblem pile(const std::string& name) {
  return fclib::read_problem(std::filesystem::path(FRICTIONBENCH_FCLIB_DATA) / piles /
                             (name + ".hdf5"))
      .problem;
}

// Piles that ncp-ipm gets trapped on. On the second, the path has dozens of folds.
TEST(NcpPathOnPiles, SolvesRealOnes) {
  SKIP_WITHOUT_REAL_FILES(piles);
  for (const char* name :
       {"gen-box-n300-ratio1-mu0.5-1049-00150", "gen-mixed-n300-ratio1-mu0.6-722-00150"}) {
    const ContactProblem problem = pile(name);
    const Result result = solve("ncp-path(strategy=arclength)", problem, limits(1e-6));
    EXPECT_EQ(result.status, Status::converged) << name << ": " << result.message;
    EXPECT_LE(judge(problem, result.r).ncp.max(), 1e-6);
  }
}

// From sweeps to tau = 1e-9 in leaps of 40 %: 27 of them.
TEST(NcpPathLeaps, TakeFewFactorizationsEach) {
  const ContactProblem problem = test::random_problem(3, 30, 20, 17);
  const Result result = solve("ncp-path(strategy=sweeps)", problem, limits(1e-9));
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_LE(result.work.factorizations.lu, 4 * 27);
}

// A pile whose path has dozens of folds.
TEST(NcpPathLeaps, GetOverTheFoldsOfARealPile) {
  SKIP_WITHOUT_REAL_FILES(piles);
  const Result result = solve("ncp-path(strategy=arclength)",
                              pile("gen-mixed-n300-ratio1-mu0.6-722-00150"), limits(1e-6, 500));
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_GT(result.reported.at("jumps"), 0);
}

// One on which following the folds takes thousands of steps.
TEST(NcpPathLeaps, TakeTurnsWithThePathAround) {
  SKIP_WITHOUT_REAL_FILES(piles);
  const ContactProblem problem = pile("gen-mixed-n300-ratio1-mu0.6-855-00300");
  const Result result = solve("ncp-path", problem, limits(1e-6, 500));
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_LE(judge(problem, result.r).ncp.max(), 1e-6);
}

// y = (1 / (1 - a / 2), a / (1 - a / 2)) - y(0), whose sum diverges from a = 2 on.
TEST(PathSeries, GoesBeyondTheRadiusOfConvergence) {
  constexpr Index order = 6;
  Matrix terms(2, order);
  for (Index k = 0; k < order; ++k) terms.col(k) << std::pow(0.5, k + 1), std::pow(0.5, k);
  const PathSeries series(terms, terms);
  EXPECT_NEAR(series.radius(), 2, 1e-12);
  for (const double a : {0.1, 1.0, 1.9, 5.0, -7.0}) {
    const double pole = 1 - a / 2;
    EXPECT_LE((series.value(a) - test::vector({1 / pole - 1, a / pole})).norm(), 1e-11) << a;
    EXPECT_LE((series.derivative(a) - test::vector({0.5, 1}) / (pole * pole)).norm(), 1e-11) << a;
  }
}

TEST(PathSeries, HasTheDerivativesThatItWasGiven) {
  const Matrix terms = Matrix::Random(9, 5);
  const PathSeries series(terms, Vector::LinSpaced(9, 1, 3).asDiagonal() * terms);
  EXPECT_LE(series.value(0).norm(), 0);
  EXPECT_LE((series.derivative(0) - terms.col(0)).norm(), 1e-13);
  constexpr double a = 1e-3;
  Vector sum = Vector::Zero(9);
  for (Index k = 4; k-- > 0;) sum = a * (terms.col(k) + sum);
  EXPECT_LE((series.value(a) - sum).norm(), 20 * std::pow(a, 5))
      << "up to the order before the last";
  constexpr double step = 1e-4;
  const Vector slope = (series.value(a + step) - series.value(a - step)) / (2 * step);
  EXPECT_LE((series.derivative(a) - slope).norm(), 1e-5);
}

TEST(PathSeries, TakesACurveThatEnds) {
  Matrix terms = Matrix::Zero(2, 4);
  terms.col(0) << 1, 2;
  terms.col(1) << 3, -1;
  const PathSeries series(terms, terms);
  EXPECT_LE((series.value(2) - test::vector({14, 0})).norm(), 1e-12);
}

}  // namespace
}  // namespace frictionbench::solvers
