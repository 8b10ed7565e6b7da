#include <gtest/gtest.h>

#include <algorithm>

#include "frictionbench/solvers/projected_gradient/accelerated_gradient.hpp"
#include "frictionbench/solvers/projected_gradient/ccp_spg.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench::solvers {
namespace {

using test::limits;
using test::solve;
using test::vector;

// min (x_1^2 + 10 x_2^2) / 2 + b.x over x >= 0
struct Orthant {
  Matrix A = vector({1, 10}).asDiagonal();
  Vector b = vector({-1, 5});
  ConvexQuadratic problem{[this](const Vector& x) -> Vector { return A * x + b; },
                          [](Vector& x) { x = x.cwiseMax(0); }};
  WorkCounters work;
  TrialSteps trials{work};
};

ContactProblem hyperstatic() { return test::random_problem(3, 30, 6, 17); }

double cost(const ContactProblem& problem, const Vector& r) {
  return r.dot(problem.contact_velocity(r) + problem.local().q) / 2;
}

TEST(ConvexQuadratic, NaturalResidualIsZeroAtTheSolutionOnly) {
  const Orthant orthant;
  const auto residual = [&](const Vector& x) {
    return orthant.problem.natural_residual(x, orthant.problem.gradient(x));
  };
  EXPECT_EQ(residual(vector({1, 0})), 0);
  EXPECT_NEAR(residual(vector({0.5, 0})), 0.5, 1e-15);
  EXPECT_NEAR(residual(vector({1, 0.25})), 0.25, 1e-15);
}

TEST(AcceleratedGradient, TwoStepsByHand) {
  Orthant orthant;
  AcceleratedGradient method(orthant.problem, vector({0, 0}), orthant.trials, 10);

  method.step();  // x = (0, 0) - ((-1, 5)) / 10, projected
  EXPECT_LE((method.x() - vector({0.1, 0})).norm(), 1e-15);
  EXPECT_LE((method.gradient() - vector({-0.9, 5})).norm(), 1e-15);
  EXPECT_NEAR(method.curvature(), 9, 1e-14);

  // theta was 1, so beta = 0: y = x; then L = 9, and 0.1 + 0.9 / 9
  method.step();
  EXPECT_LE((method.x() - vector({0.2, 0})).norm(), 1e-15);
  EXPECT_EQ(orthant.work.line_search, 0);

  // the third is extrapolated: theta = (sqrt 5 - 1) / 2, theta+ of the recursion, beta of both
  const double theta = (std::sqrt(5.0) - 1) / 2;
  const double next = (-theta * theta + theta * std::sqrt(theta * theta + 4)) / 2;
  const double y = 0.2 + theta * (1 - theta) / (theta * theta + next) * 0.1;
  method.step();
  EXPECT_NEAR(method.x()[0], y + (1 - y) / 8.1, 1e-15);
}

TEST(AcceleratedGradient, DoublesTheCurvatureUntilTheStepIsSafe) {
  Orthant orthant;
  orthant.b = vector({-1, -5});  // d along both axes: d.A d / d.d = 251 / 26 = 9.65
  AcceleratedGradient method(orthant.problem, vector({0, 0}), orthant.trials, 1);
  method.step();
  EXPECT_EQ(orthant.work.line_search, 4);
  EXPECT_NEAR(method.curvature(), 0.9 * 16, 1e-14);
  EXPECT_LE((method.x() - vector({1, 5}) / 16).norm(), 1e-15);
}

TEST(AcceleratedGradient, EstimatesTheCurvature) {
  Orthant orthant;
  const AcceleratedGradient method(orthant.problem, vector({0, 0}), orthant.trials);
  EXPECT_NEAR(method.curvature(), std::sqrt(101.0 / 2), 1e-14);  // ||A 1|| / ||1||
}

TEST(SpectralGradient, BarzilaiAndBorweinStepsInTurn) {
  Orthant orthant;
  orthant.b = vector({-1, -5});
  SpectralGradient method(orthant.problem, vector({0, 0}), orthant.trials, {});

  // alpha = 1 / ||P(x - g) - x||_inf = 1 / 5: d = (0.2, 1), f = (0.04 + 10) / 2 - 5.2 < 0
  method.step();
  EXPECT_LE((method.x() - vector({0.2, 1})).norm(), 1e-15);

  // s.s / s.A s = 1.04 / 10.04, g = (-0.8, 5)
  const double alpha = 1.04 / 10.04;
  method.step();
  EXPECT_LE((method.x() - vector({0.2 + 0.8 * alpha, 1 - 5 * alpha})).norm(), 1e-14);

  // s.y / y.y with s = (0.8, -5) alpha, y = (0.8, -50) alpha
  const Vector before = method.x();
  const Vector g = method.gradient();
  const double next = (0.64 + 250) / (0.64 + 2500);
  method.step();
  EXPECT_LE((method.x() - (before - next * g)).norm(), 1e-14);
  EXPECT_EQ(orthant.work.line_search, 0);
}

TEST(SpectralGradient, LineSearchShortensAStepThatRaisesTheCost) {
  Orthant orthant;
  orthant.A = vector({100, 100}).asDiagonal();
  orthant.b = vector({-1, -1});  // alpha = 1: a step to (1, 1), far beyond the minimum 0.01
  SpectralGradient searched(orthant.problem, vector({0, 0}), orthant.trials, {});
  searched.step();
  // the minimum along d is at lambda = 0.01; 0.1 is as far as the first step back goes
  EXPECT_EQ(orthant.work.line_search, 2);
  EXPECT_LE((searched.x() - vector({0.01, 0.01})).norm(), 1e-15);

  SpectralGradient blind(orthant.problem, vector({0, 0}), orthant.trials, {.memory = 0});
  blind.step();
  EXPECT_LE((blind.x() - vector({1, 1})).norm(), 1e-15);
}

TEST(CcpApgd, TakesAProductAnIterationAndOneABacktrack) {
  const Result result = solve("ccp-apgd", hyperstatic(), limits(0, 50));
  EXPECT_EQ(result.iterations, 50);
  EXPECT_EQ(result.work.products, 2 + 50 + result.work.line_search);
}

// An accelerated method is faster than a plain one by about the root of the condition number.
TEST(ProjectedGradient, BeatsProjectedJacobiStepsByFar) {
  const ContactProblem problem = hyperstatic();
  const Result reference = solve("ccp-apgd", problem, limits(1e-11));
  ASSERT_EQ(reference.status, Status::converged);
  const double best = cost(problem, reference.r);
  const Result apgd = solve("ccp-apgd", problem, limits(0, 300));
  const Result spg = solve("ccp-spg", problem, limits(0, 300));
  EXPECT_NEAR(cost(problem, apgd.r), best, 1e-8 * std::abs(best));
  EXPECT_NEAR(cost(problem, spg.r), best, 1e-8 * std::abs(best));
}

// Where the tolerance is not reached, the answer is no worse than that of a shorter run.
TEST(ProjectedGradient, KeepsTheBestIterate) {
  const ContactProblem problem = hyperstatic();
  for (const char* name : {"ccp-apgd", "ccp-spg"}) {
    const auto solver = test::solver(name);
    double last = std::numeric_limits<double>::infinity();
    for (int k = 1; k < 120; ++k) {
      const double residual = judge(problem, solver->solve(problem, limits(0, k)).r).ccp.max();
      EXPECT_LE(residual, last + 1e-13) << name << " after " << k;
      last = residual;
    }
  }
}

}  // namespace
}  // namespace frictionbench::solvers
