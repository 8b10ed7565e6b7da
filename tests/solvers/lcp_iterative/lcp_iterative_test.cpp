// lcp-psor and lcp-nonsmooth-newton, beyond what conformance asks of every solver.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench {
namespace {

using test::limits;
using test::random_problem;
using test::solve;
using test::sparse;
using test::vector;

// The LCP of M and q, as frictionless contacts in 2D whose normal impulses are z.
ContactProblem plain_lcp(const Matrix& M, const Vector& q) {
  const Index n = q.size();
  Matrix W = Matrix::Identity(2 * n, 2 * n);
  Vector free = Vector::Zero(2 * n);
  for (Index i = 0; i < n; ++i) {
    free[2 * i] = q[i];
    for (Index j = 0; j < n; ++j) W(2 * i, 2 * j) = M(i, j);
  }
  return {2, Vector::Zero(n), LocalForm{sparse(W), free}};
}

Vector normals(const Vector& r) { return r(Eigen::seq(0, Eigen::last, 2)); }

// Murty's: pivoting methods may need 2^n pivots on larger ones of its kind.
ContactProblem triangular() {
  Matrix M(3, 3);
  M << 1, 0, 0, 2, 1, 0, 2, 2, 1;
  return plain_lcp(M, vector({-8, -12, -14}));
}

// Of a P-matrix, on which some principal pivoting methods cycle (Murty). z = (1, 1, 1) / 3.
ContactProblem circulant() {
  Matrix M(3, 3);
  M << 1, 2, 0, 0, 1, 2, 2, 0, 1;
  return plain_lcp(M, vector({-1, -1, -1}));
}

class LcpIterative : public testing::TestWithParam<std::string> {
 protected:
  static std::string with_facets(int facets) {
    return fmt::format("{}(facets={})", GetParam(), facets);
  }
};

TEST_P(LcpIterative, IsJudgedByItsOwnPyramid) {
  EXPECT_EQ(test::solver(GetParam())->info().facets, 8);
  const ContactProblem problem = random_problem(3, 4, 12, 3, 0.5);
  for (const int facets : {3, 4, 6, 16}) {
    const auto solver = test::solver(with_facets(facets));
    EXPECT_EQ(solver->info().facets, facets);
    const Result result = solver->solve(problem, limits(1e-9, 100000));
    ASSERT_EQ(result.status, Status::converged) << facets << ": " << result.message;
    const Vector u = problem.contact_velocity(result.r);
    const auto residual = [&](int K) {
      return cone_residuals(ContactModel::lcp, problem, result.r, u, {}, K).max();
    };
    EXPECT_LE(residual(facets), 1e-9);
    EXPECT_GT(residual(facets + 1), 1e-6) << "the pyramid matters here";
  }
}

TEST_P(LcpIterative, TriangularLcp) {
  const Result result = solve(GetParam(), triangular(), limits(1e-10));
  ASSERT_EQ(result.status, Status::converged);
  EXPECT_TRUE(normals(result.r).isApprox(vector({8, 0, 0}), 1e-8));
}

// w_1 + w_2 = -2 for every z.
TEST_P(LcpIterative, NothingIsClaimedWithoutASolution) {
  Matrix M(2, 2);
  M << 1, -1, -1, 1;
  const Result result = solve(GetParam(), plain_lcp(M, vector({-1, -1})));
  EXPECT_TRUE(result.status == Status::stalled || result.status == Status::max_iterations)
      << name(result.status);
  EXPECT_TRUE(result.r.allFinite());
}

INSTANTIATE_TEST_SUITE_P(Solvers, LcpIterative, testing::Values("lcp-psor", "lcp-nonsmooth-newton"),
                         test::solver_test_name);

TEST(LcpPsor, TwoSweepsByHand) {
  const ContactProblem problem = test::one_contact(vector({2, 2}), vector({-1, 0.1}), 0.5);
  const auto after = [&](int sweeps) {
    return solve("lcp-psor(relaxation=1,scaling=none)", problem, limits(1e-300, sweeps)).r;
  };
  // lambda = 0.1 at the start keeps beta = 0 in the first sweep, and is 0 after it.
  EXPECT_TRUE(after(1).isApprox(vector({0.5, 0}), 1e-14));
  EXPECT_TRUE(after(2).isApprox(vector({0.5, -0.05}), 1e-14));
}

TEST(LcpPsor, CountsItsSweeps) {
  const Result result = solve("lcp-psor", random_problem(3, 4, 12, 3, 0.5), limits(1e-9));
  ASSERT_EQ(result.status, Status::converged);
  EXPECT_EQ(result.work.sweeps, result.iterations);
  EXPECT_EQ(result.work.factorizations.all(), 0);
}

TEST(LcpPsor, RegularizationChangesThePathAlone) {
  const ContactProblem problem = random_problem(3, 4, 12, 3, 0.5);
  const Result one = solve("lcp-psor", problem, limits(1e-10));
  const Result five = solve("lcp-psor(regularization=5)", problem, limits(1e-10));
  ASSERT_EQ(five.status, Status::converged);
  EXPECT_NE(one.iterations, five.iterations);
  EXPECT_LE((one.r - five.r).norm(), 1e-6 * one.r.norm());
}

// The linear iteration on the three rows diverges, and the projected one cycles.
TEST(LcpPsor, CycleEndsAsAStall) {
  const Result result = solve("lcp-psor(relaxation=1)", circulant(), limits(1e-10));
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_EQ(result.stop_reason, StopReason::no_progress);
  EXPECT_LE(result.iterations, 2100);
}

// A lambda of the size of that start would fall for thousands of sweeps.
TEST(LcpPsor, StartThatIsWorseThanZeroIsNotUsed) {
  const ContactProblem problem = random_problem(3, 4, 12, 3, 0.5);
  const Result cold = solve("lcp-psor", problem, limits(1e-9));
  const Result far = solve("lcp-psor", problem, limits(1e-9), Vector::Constant(12, 1e6));
  EXPECT_EQ(far.r, cold.r);
  EXPECT_LE(solve("lcp-psor", problem, limits(1e-8), cold.r).iterations, 1);
}

TEST(LcpNonsmoothNewton, SolvesWhatMakesPsorCycle) {
  const Result result = solve("lcp-nonsmooth-newton", circulant(), limits(1e-10));
  ASSERT_EQ(result.status, Status::converged);
  EXPECT_TRUE(normals(result.r).isApprox(Vector::Constant(3, 1.0 / 3), 1e-8));
}

TEST(LcpNonsmoothNewton, CountsItsWork) {
  const Result result =
      solve("lcp-nonsmooth-newton", random_problem(3, 4, 12, 3, 0.5), limits(1e-9));
  ASSERT_EQ(result.status, Status::converged);
  EXPECT_EQ(result.work.factorizations.lu, result.iterations - 1) << "the first judges the start";
  EXPECT_EQ(result.work.triangular_solves, result.iterations - 1);
  EXPECT_GE(result.work.line_search, result.iterations - 1);
  EXPECT_EQ(result.work.sweeps, 0);
}

// Four contacts of a box share its weight in many ways, and at rest all friction is at its kink.
TEST(LcpNonsmoothNewton, ConvergesFastWhereImpulsesAreNotUnique) {
  const ContactProblem box = bench::conformance::box_at_rest(3);
  const Result result = solve("lcp-nonsmooth-newton", box, limits(1e-12));
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_LE(result.iterations, 20);
}

TEST(LcpNonsmoothNewton, EverySettingSolvesRegularContacts) {
  const ContactProblem problem = random_problem(3, 4, 12, 3, 0.5);
  for (const char* settings : {"project=true", "memory=1", "damping=0", "damping=1", "scaling=none",
                               "descent=0", "halvings=7,decrease=1e-3"}) {
    const Result result =
        solve(fmt::format("lcp-nonsmooth-newton({})", settings), problem, limits(1e-9));
    EXPECT_EQ(result.status, Status::converged) << settings << ": " << result.message;
  }
}

// Without a descent direction that is accepted, every step is one along the gradient.
TEST(LcpNonsmoothNewton, GradientStepsAreReported) {
  const ContactProblem problem = random_problem(3, 4, 12, 3, 0.5);
  const Result newton = solve("lcp-nonsmooth-newton", problem, limits(1e-9));
  EXPECT_EQ(newton.reported.at("gradient_steps"), 0);
  const Result gradient = solve("lcp-nonsmooth-newton(descent=1e300)", problem, limits(1e-9, 50));
  EXPECT_EQ(gradient.reported.at("gradient_steps"), 49);
  EXPECT_EQ(gradient.status, Status::max_iterations);
}

}  // namespace
}  // namespace frictionbench
