#include "frictionbench/math/portable_numbers.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace frictionbench::test {
namespace {

TEST(PortableNumbers, CosineAndSineAreExactUpToRounding) {
  constexpr double right_angle = std::numbers::pi / 2;
  for (int k = -1000; k <= 1000; ++k) {
    const double angle = k * right_angle / 1000;
    const auto [cosine, sine] = cosine_and_sine(angle);
    EXPECT_NEAR(cosine, std::cos(angle), 4e-16) << angle;
    EXPECT_NEAR(sine, std::sin(angle), 4e-16) << angle;
  }
}

}  // namespace
}  // namespace frictionbench::test
