#include "frictionbench/math/recent_values.hpp"

#include <gtest/gtest.h>

namespace frictionbench {
namespace {

TEST(RecentValues, ForgetTheOldest) {
  RecentValues values(3);
  values.restart(5);
  EXPECT_EQ(values.largest(), 5);
  values.add(7);
  values.add(1);
  EXPECT_EQ(values.largest(), 7);
  values.add(2);  // 7, 1, 2
  EXPECT_EQ(values.largest(), 7);
  values.add(3);  // 1, 2, 3
  EXPECT_EQ(values.largest(), 3);
  EXPECT_EQ(values.last(), 3);
}

TEST(RecentValues, StartAgain) {
  RecentValues values(3);
  values.add(9);
  values.add(8);
  values.restart(2);
  EXPECT_EQ(values.largest(), 2);
  values.add(1);
  EXPECT_EQ(values.largest(), 2);
}

TEST(RecentValues, AreTheLastOneWithAMemoryOfOne) {
  RecentValues values(1);
  for (const double value : {4.0, 6.0, 2.0}) {
    values.add(value);
    EXPECT_EQ(values.largest(), value);
    EXPECT_EQ(values.last(), value);
  }
}

}  // namespace
}  // namespace frictionbench
