#include "frictionbench/solvers/compliant_newton/primal_line_search.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace frictionbench::solvers {
namespace {

LineSearchSettings exact() { return {.kind = LineSearch::exact}; }
LineSearchSettings armijo() { return {.kind = LineSearch::armijo}; }

// A parabola with its minimum at 1, as close to the answer.
LinePoint parabola(double alpha) { return {(alpha - 1) * (alpha - 1) + 1, 2 * (alpha - 1), 2}; }

TEST(PrimalLineSearch, TakesNewtonsStepOfAParabola) {
  int evaluations = 0;
  const auto line = [&](double alpha) {
    ++evaluations;
    return parabola(alpha);
  };
  EXPECT_EQ(step_length(exact(), parabola(0), line), 1);
  EXPECT_EQ(evaluations, 1);
  EXPECT_DOUBLE_EQ(step_length(armijo(), parabola(0), line), 1);
  EXPECT_EQ(evaluations, 1 + 3) << "1.25, 1 and 0.8";
}

// The slope changes at 0.1 from -1 to steep: Newton's step at 1 leaves the bracket, or crawls.
LinePoint kink(double alpha) {
  const double beyond = std::max(0.0, alpha - 0.1);
  return {1 - alpha + alpha * alpha / 2 + 500 * beyond * beyond, -1 + alpha + 1000 * beyond,
          1 + (alpha >= 0.1 ? 1000.0 : 0.0)};
}

TEST(PrimalLineSearch, FindsTheMinimumBehindAKink) {
  const double minimum = 101.0 / 1001;
  EXPECT_NEAR(step_length(exact(), kink(0), kink), minimum, 1e-10);
  const double step = step_length(armijo(), kink(0), kink);
  EXPECT_LT(kink(step).cost, kink(0).cost + 1e-4 * step * kink(0).slope);
  EXPECT_GT(step, 0.05);
}

// l' = exp(10 alpha) - 2: Newton's method from the right takes a tenth at a time.
TEST(PrimalLineSearch, BisectsWhereNewtonIsSlow) {
  int evaluations = 0;
  const auto line = [&](double alpha) -> LinePoint {
    ++evaluations;
    return {std::exp(10 * alpha) / 10 - 2 * alpha, std::exp(10 * alpha) - 2,
            10 * std::exp(10 * alpha)};
  };
  EXPECT_NEAR(step_length(exact(), line(0), line), std::log(2) / 10, 1e-11);
  EXPECT_LE(evaluations, 15);
}

TEST(PrimalLineSearch, GoesBeyondOneWhereTheMinimumIs) {
  const auto line = [](double alpha) { return parabola(alpha / 7); };
  const LinePoint start{2, -2.0 / 7, 2.0 / 49};
  const auto scaled = [&](double alpha) -> LinePoint {
    const LinePoint at = line(alpha);
    return {at.cost, at.slope / 7, at.curvature / 49};
  };
  EXPECT_NEAR(step_length(exact(), start, scaled), 7, 1e-9);
  EXPECT_EQ(step_length(armijo(), start, scaled), 1.25);
}

TEST(PrimalLineSearch, HasNoStepWithoutASlope) {
  for (const double slope : {0.0, 1e-20, std::nan("")})
    for (const LineSearchSettings& settings : {exact(), armijo()})
      EXPECT_EQ(step_length(settings, {1, slope, 1}, parabola), 0);
}

TEST(PrimalLineSearch, BacktracksToTheFullStepBelowTheRoundOffOfTheCost) {
  const auto line = [](double alpha) -> LinePoint {
    return {1e6, -1e-12 * (1 - alpha), 1e-12};  // what changes is not in the digits of the cost
  };
  EXPECT_EQ(step_length(armijo(), line(0), line), 1);
  EXPECT_NEAR(step_length(exact(), line(0), line), 1, 1e-10);
}

// A cost that does not fall, whatever its slope says, ends the search.
TEST(PrimalLineSearch, EndsOnACostThatDoesNotFall) {
  const auto line = [](double alpha) -> LinePoint { return {1 + alpha, -1, 1}; };
  EXPECT_EQ(step_length(armijo(), {1, -1, 1}, line), 0);
  EXPECT_TRUE(std::isfinite(step_length(exact(), {1, -1, 1}, line)));
}

}  // namespace
}  // namespace frictionbench::solvers
