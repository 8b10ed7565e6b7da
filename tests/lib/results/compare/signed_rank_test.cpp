#include "frictionbench/results/compare/internal/signed_rank.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "frictionbench/math/portable_numbers.hpp"

namespace frictionbench::results {
namespace {

using testing::ElementsAre;

TEST(SignedRank, IsExact) {
  EXPECT_DOUBLE_EQ(signed_rank_p_value({1, 2, 3, 4, 5}), 1.0 / 32);
  EXPECT_DOUBLE_EQ(signed_rank_p_value({-5, 2, 1, 3, 4}), 10.0 / 32);
  EXPECT_DOUBLE_EQ(signed_rank_p_value({-1, -2, -3}), 1);
  // Hollander and Wolfe, Nonparametric Statistical Methods, 1973, example 3.1: V = 40.
  const std::vector<double> before{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
  const std::vector<double> after{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
  std::vector<double> differences;
  for (std::size_t k = 0; k < before.size(); ++k) differences.push_back(before[k] - after[k]);
  EXPECT_DOUBLE_EQ(signed_rank_p_value(differences), 10.0 / 512);
}

TEST(SignedRank, TiesShareTheirRankAndZerosSayNothing) {
  // Ranks 1.5, 1.5, 3: of the eight signs, three give at least 4.5.
  EXPECT_DOUBLE_EQ(signed_rank_p_value({-1, 1, 2}), 3.0 / 8);
  EXPECT_DOUBLE_EQ(signed_rank_p_value({0, -1, 1, 0, 2}), 3.0 / 8);
  EXPECT_DOUBLE_EQ(signed_rank_p_value({0, 0}), 1);
  EXPECT_DOUBLE_EQ(signed_rank_p_value({}), 1);
}

TEST(SignedRank, ManyValuesAreNoTrouble) {
  EXPECT_NEAR(signed_rank_p_value(std::vector<double>(100, 1.0)), std::exp2(-100), 1e-40);
}

TEST(SignedRank, FalseAlarmsAreAsRareAsItSays) {
  Random random(1);
  int alarms = 0;
  constexpr int trials = 20000;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> values(10);
    for (double& value : values) value = std::pow(random.uniform(-1, 1), 3);
    alarms += signed_rank_p_value(values) <= 0.05;
  }
  // Of the sums that ten ranks make, the probabilities nearest to 0.05 from below add up to 0.042.
  EXPECT_NEAR(alarms / double(trials), 0.042, 0.005);
}

TEST(SignedRank, IntervalHoldsTheCentre) {
  const Interval interval = signed_rank_interval({1, 2, 3, 4, 5, 6}, 0.95);
  EXPECT_DOUBLE_EQ(interval.low, 1);  // of six values, no centre between them is that improbable
  EXPECT_DOUBLE_EQ(interval.high, 6);
  const Interval seven = signed_rank_interval({1, 2, 3, 4, 5, 6, 7}, 0.95);
  EXPECT_DOUBLE_EQ(seven.low, 2);  // without 1 and 1.5, the smallest of the means of two
  EXPECT_DOUBLE_EQ(seven.high, 6);
  const Interval few = signed_rank_interval({3, 1, 2}, 0.95);
  EXPECT_DOUBLE_EQ(few.low, 1);
  EXPECT_DOUBLE_EQ(few.high, 3);

  Random random(1);
  int covered = 0;
  constexpr int trials = 20000;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> values(10);
    for (double& value : values) value = 7 + random.uniform(-1, 1);
    covered += signed_rank_interval(values, 0.95).contains(7);
  }
  // Of the confidences that ten values can have, 0.951 is the smallest that is not below 0.95.
  EXPECT_NEAR(covered / double(trials), 0.951, 0.005);
}

TEST(Discoveries, AllowForTheNumberOfTests) {
  // Benjamini and Hochberg, 1995, section 3.2: their fifteen p-values, four of them rejected.
  const std::vector<double> p{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                              0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
  const std::vector<bool> found = discoveries(p, 0.05);
  EXPECT_EQ(std::count(found.begin(), found.end(), true), 4);
  EXPECT_TRUE(found[3]);
  EXPECT_THAT(discoveries({0.04, 0.9}, 0.05), ElementsAre(false, false));
  EXPECT_THAT(discoveries({0.9, 0.01}, 0.05), ElementsAre(false, true));
  EXPECT_THAT(discoveries({0.04, 0.045}, 0.05), ElementsAre(true, true));
  EXPECT_THAT(discoveries({}, 0.05), ElementsAre());
}

}  // namespace
}  // namespace frictionbench::results
