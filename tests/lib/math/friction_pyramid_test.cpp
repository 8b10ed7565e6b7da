#include "frictionbench/math/friction_pyramid.hpp"

#include <gtest/gtest.h>

#include <random>

#include "frictionbench/math/friction_cone.hpp"
#include "support/problems.hpp"

namespace frictionbench {
namespace {

using test::vector;

TEST(FrictionPyramid, ProjectsByHand) {
  EXPECT_EQ(project_on_pyramid(vector({1, 0.5, -0.5}), 0.5), vector({1, 0.5, -0.5}));
  EXPECT_EQ(project_on_pyramid(vector({-3, 0.5, 0.5}), 0.5), vector({0, 0, 0}));
  // one facet: as in 2D, x = (0, 1, 0), mu = 1 goes to (1/2, 1/2, 0)
  EXPECT_TRUE(project_on_pyramid(vector({0, 1, 0}), 1).isApprox(vector({0.5, 0.5, 0})));
  // an edge: n = (0 + 1 + 1) / 3
  EXPECT_TRUE(project_on_pyramid(vector({0, 1, -1}), 1).isApprox(vector({2, 2, -2}) / 3));
}

TEST(FrictionPyramid, ProjectionIsNearestAndMoreauHolds) {
  std::mt19937 generator(2);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 2000; ++k) {
    const double mu = k % 5 == 0 ? 0 : std::abs(normal(generator));
    const Vector x = Vector::NullaryExpr(3, [&] { return normal(generator); });
    const Vector other = Vector::NullaryExpr(3, [&] { return normal(generator); });
    const Vector p = project_on_pyramid(x, mu);
    const Vector d = p - x;  // = P_{dual}(-x)
    EXPECT_LE(p.tail(2).lpNorm<Eigen::Infinity>(), mu * p[0] + 1e-14);
    EXPECT_LE(mu * d.tail(2).lpNorm<1>(), d[0] + 1e-13);
    EXPECT_NEAR(p.dot(d), 0, 1e-13);
    EXPECT_LE((x - p).norm(), (x - project_on_pyramid(other, mu)).norm() + 1e-14);
    EXPECT_NEAR(distance_to_dual_pyramid(-x, mu), (-x - d).norm(), 1e-13);
  }
}

TEST(FrictionPyramid, IsTheConeIn2D) {
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 200; ++k) {
    const Vector x = Vector::NullaryExpr(2, [&] { return normal(generator); });
    EXPECT_LE((project_on_pyramid(x, 0.7) - project_on_cone(x, 0.7)).norm(), 1e-15);
  }
}

}  // namespace
}  // namespace frictionbench
