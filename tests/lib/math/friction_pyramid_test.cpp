#include "frictionbench/math/friction_pyramid.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "frictionbench/math/friction_cone.hpp"
#include "support/problems.hpp"

namespace frictionbench {
namespace {

using test::vector;

TEST(FrictionPyramid, ProjectsKnownPoints) {
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

TEST(FrictionPyramid, EqualsTheConeIn2D) {
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 200; ++k) {
    const Vector x = Vector::NullaryExpr(2, [&] { return normal(generator); });
    EXPECT_LE((project_on_pyramid(x, 0.7) - project_on_cone(x, 0.7)).norm(), 1e-15);
  }
}

constexpr double pi = std::numbers::pi;

class Random {
 public:
  Eigen::Vector3d vector() {
    return Eigen::Vector3d::NullaryExpr([&] { return normal_(generator_); });
  }
  double friction() { return std::abs(normal_(generator_)); }

 private:
  std::mt19937 generator_{2};
  std::normal_distribution<double> normal_;
};

Eigen::Vector2d direction(double angle) { return {std::cos(angle), std::sin(angle)}; }

// Corner k of the polygon around the unit disc.
Eigen::Vector2d corner(int facets, int k) {
  return direction((2 * k + 1) * pi / facets) / std::cos(pi / facets);
}

TEST(RegularPyramid, WithFourFacetsEqualsTheLcpPyramid) {
  const RegularPyramid pyramid(4);
  Random random;
  for (int k = 0; k < 1000; ++k) {
    const Eigen::Vector3d x = random.vector();
    const double mu = k % 5 == 0 ? 0 : random.friction();
    EXPECT_LE((pyramid.project(x, mu) - project_on_pyramid(x, mu)).norm(), 1e-14);
    EXPECT_NEAR(pyramid.correction(x, mu), pyramid_correction(x, mu), 1e-14);
  }
}

// Directions agree to pi / K, sizes to its square.
TEST(RegularPyramid, WithManyFacetsApproachesTheCone) {
  const RegularPyramid pyramid(100000);
  Random random;
  for (int k = 0; k < 1000; ++k) {
    const Eigen::Vector3d x = random.vector();
    const double mu = random.friction();
    EXPECT_LE((pyramid.project(x, mu) - project_on_cone(x, mu)).norm(), 1e-4);
    EXPECT_NEAR(pyramid.correction(x, mu), de_saxce_correction(x, mu), 1e-8);
  }
}

TEST(RegularPyramid, CorrectionIsTheMaximumOverCorners) {
  Random random;
  for (const int facets : {3, 5, 6, 8, 13}) {
    const RegularPyramid pyramid(facets);
    for (int k = 0; k < 300; ++k) {
      const Eigen::Vector3d u = random.vector();
      double best = 0;
      for (int c = 0; c < facets; ++c) best = std::max(best, -u.tail<2>().dot(corner(facets, c)));
      EXPECT_NEAR(pyramid.correction(u, 0.7), 0.7 * best, 1e-14);
    }
  }
}

// Moreau: p is the projection of x if p is in the pyramid, p - x in its dual, and p ⟂ p - x.
TEST(RegularPyramid, ProjectionIsNearestPoint) {
  Random random;
  for (const int facets : {3, 4, 5, 6, 8, 13})
    for (int k = 0; k < 500; ++k) {
      const RegularPyramid pyramid(facets);
      const double mu = k % 10 == 0 ? 0 : random.friction();
      const Eigen::Vector3d x = random.vector();
      const Eigen::Vector3d p = pyramid.project(x, mu);
      const Eigen::Vector3d d = p - x;
      for (int f = 0; f < facets; ++f)
        EXPECT_LE(direction(2 * f * pi / facets).dot(p.tail<2>()), mu * p[0] + 1e-13);
      EXPECT_LE(pyramid.correction(d, mu), d[0] + 1e-13);
      EXPECT_NEAR(p.dot(d), 0, 1e-13);
    }
}

// s is the minimiser if the objective increases towards every corner.
TEST(RegularPyramid, MinimisesOverThePolygon) {
  Random random;
  for (const int facets : {3, 4, 5, 6, 8, 13})
    for (int k = 0; k < 500; ++k) {
      const RegularPyramid pyramid(facets);
      const double radius = random.friction();
      const Eigen::Vector2d t = random.vector().head<2>(), g = 3 * random.vector().head<2>();
      const Eigen::Vector2d a = random.vector().head<2>();
      Eigen::Matrix2d A = a * a.transpose();  // singular
      if (k % 2 == 0) A += 0.1 * Eigen::Matrix2d::Identity();

      const Eigen::Vector2d s = pyramid.minimise(A, g, t, radius);
      const Eigen::Vector2d slope = A * (s - t) + g;
      for (int f = 0; f < facets; ++f) {
        EXPECT_LE(direction(2 * f * pi / facets).dot(s), radius * (1 + 1e-13));
        EXPECT_GE(slope.dot(radius * corner(facets, f) - s), -1e-12) << facets << " " << k;
      }
    }
}

TEST(RegularPyramid, MinimiserInsideThePolygonIsUnconstrained) {
  Eigen::Matrix2d A;
  A << 2, 0.5, 0.5, 1;
  const Eigen::Vector2d t(0.1, 0.2), g(0.1, -0.1);
  const Eigen::Vector2d s = RegularPyramid(6).minimise(A, g, t, 10);
  EXPECT_LE((A * (s - t) + g).norm(), 1e-14);
  EXPECT_EQ(RegularPyramid(6).minimise(A, g, t, 0), Eigen::Vector2d::Zero());
}

}  // namespace
}  // namespace frictionbench
