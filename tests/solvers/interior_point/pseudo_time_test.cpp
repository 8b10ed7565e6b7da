#include "frictionbench/solvers/interior_point/pseudo_time.hpp"

#include <gtest/gtest.h>

namespace frictionbench::solvers {
namespace {

TEST(PseudoTime, EachConeHasItsOwnStep) {
  PseudoTime time(3);
  const double least = time.rho()[0];
  time.adapt(0, 1.5);
  time.adapt(1, 0.7);
  time.adapt(2, 0.1);
  EXPECT_GT(time.rho()[0], least) << "its step was long";
  EXPECT_EQ(time.rho()[1], least);
  EXPECT_EQ(time.rho()[2], least) << "there is no longer step than that";
  time.adapt(0, 0.1);
  EXPECT_DOUBLE_EQ(time.rho()[0], least);
}

TEST(PseudoTime, HoldsBackTheSuspectsFirst) {
  PseudoTime time(2);
  const double least = time.rho()[1];
  time.adapt(0, 2);
  int alone = 0;
  for (; time.hold_back() && time.rho()[1] == least; ++alone) ASSERT_LT(alone, 100);
  EXPECT_GT(alone, 0);
  EXPECT_GE(time.rho()[0], 1) << "before it is the others' turn";
}

TEST(PseudoTime, HoldsBackAllWithoutSuspectsAndEnds) {
  PseudoTime time(2);
  int times = 0;
  for (; time.hold_back(); ++times) {
    ASSERT_LT(times, 100);
    EXPECT_EQ(time.rho()[0], time.rho()[1]);
  }
  EXPECT_GE(time.rho().minCoeff(), 1e3);
}

}  // namespace
}  // namespace frictionbench::solvers
