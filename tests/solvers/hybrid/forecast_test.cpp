#include "frictionbench/solvers/hybrid/forecast.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace frictionbench::solvers {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

ConeResiduals residuals(double complementarity) {
  ConeResiduals residuals;
  residuals.complementarity = complementarity;
  return residuals;
}

TEST(Forecast, IsRightForALinearRate) {
  Forecast forecast(1e-8);
  for (int k = 0; k <= 40; k += 4) forecast.add(k, residuals(std::pow(0.8, k)));
  EXPECT_NEAR(forecast.iterations_left(), std::log(1e-8) / std::log(0.8) - 40, 1e-6);
}

TEST(Forecast, ForgetsTheFirstQuarter) {
  Forecast forecast(1e-6);
  for (int k = 1; k <= 10; ++k) forecast.add(k, residuals(std::pow(0.1, k)));
  EXPECT_EQ(forecast.iterations_left(), 0);
  Forecast slower(1e-15);
  for (int k = 1; k <= 5; ++k) slower.add(k, residuals(std::pow(0.1, k)));
  for (int k = 6; k <= 20; ++k) slower.add(k, residuals(1e-5 * std::pow(0.5, k - 5)));
  EXPECT_NEAR(slower.iterations_left(), std::log(1e-15 / 1e-5) / std::log(0.5) - 15, 1e-6)
      << "the quick start is forgotten";
}

TEST(Forecast, TakesTheFastestOfThreeRates) {
  // Nothing for 16 iterations, then a decade in four.
  Forecast wave(1e-6);
  for (int k = 1; k <= 16; ++k) wave.add(k, residuals(1e-2));
  wave.add(20, residuals(1e-3));
  EXPECT_NEAR(wave.iterations_left(), 15, 1e-9) << "since iteration 15: three decades at 5 each";
  // A decade in the second quarter, and nothing since.
  Forecast stuck(1e-6);
  stuck.add(10, residuals(1e-2));
  stuck.add(20, residuals(1e-3));
  for (int k = 21; k <= 40; ++k) stuck.add(k, residuals(1e-3));
  EXPECT_NEAR(stuck.iterations_left(), 90, 1e-9) << "since iteration 10";
}

TEST(Forecast, CountsTheBestResidualOnly) {
  Forecast forecast(1e-6);
  forecast.add(10, residuals(1e-2));
  forecast.add(20, residuals(1e-3));
  EXPECT_NEAR(forecast.iterations_left(), 30, 1e-9);
  forecast.add(21, residuals(10));
  EXPECT_NEAR(forecast.iterations_left(), 33, 1e-9) << "a decade in 11 iterations";
}

TEST(Forecast, SaysNeverWithoutProgress) {
  Forecast forecast(1e-6);
  EXPECT_EQ(forecast.iterations_left(), never) << "nothing is known";
  forecast.add(1, residuals(1));
  EXPECT_EQ(forecast.iterations_left(), never) << "no rate is known";
  forecast.add(2, residuals(2));
  forecast.add(3, residuals(1));
  EXPECT_EQ(forecast.iterations_left(), never);
}

TEST(Forecast, TakesTheResidualFarthestAboveTheTolerance) {
  Forecast forecast(1e-2);
  ConeResiduals both;
  both.primal = 10;
  both.complementarity = 0.1;
  forecast.add(10, both);
  both.primal = 0.01;  // has arrived; complementarity never moved, and is a factor 10 away
  forecast.add(20, both);
  EXPECT_NEAR(forecast.iterations_left(), 5, 1e-9) << "from 10 to 0.1 in 10 iterations";
}

}  // namespace
}  // namespace frictionbench::solvers
