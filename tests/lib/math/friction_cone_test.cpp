#include "frictionbench/math/friction_cone.hpp"

#include <gtest/gtest.h>

#include <random>

#include "support/problems.hpp"

namespace frictionbench {
namespace {

using test::vector;

TEST(FrictionCone, ProjectsKnownPoints) {
  // inside, in the polar cone, and from the side: x = (0, 1, 0), mu = 1 goes to (1/2, 1/2, 0)
  EXPECT_EQ(project_on_cone(vector({2, 1, 0}), 1), vector({2, 1, 0}));
  EXPECT_EQ(project_on_cone(vector({-2, 1, 0}), 1), vector({0, 0, 0}));
  EXPECT_TRUE(project_on_cone(vector({0, 1, 0}), 1).isApprox(vector({0.5, 0.5, 0})));
  // mu = 0: the half line
  EXPECT_EQ(project_on_cone(vector({3, 4, 5}), 0), vector({3, 0, 0}));
  EXPECT_EQ(project_on_cone(vector({-3, 4, 5}), 0), vector({0, 0, 0}));
  EXPECT_EQ(project_on_cone(vector({-3, 0, 0}), 0), vector({0, 0, 0})) << "0 <= -0 is true";
  EXPECT_EQ(distance_to_cone(vector({-3, 0, 0}), 0), 3);
  EXPECT_EQ(distance_to_dual_cone(vector({3, 0, 0}), 0), 0);
  // 2D
  EXPECT_TRUE(project_on_cone(vector({0, -2}), 0.5).isApprox(vector({0.8, -0.4})));
}

// Moreau: P_K(x) - x is in K^* and orthogonal to P_K(x), so the one is the nearest point to -x and the
// other to x.
template <int Dim>
void check_random_projections() {
  std::mt19937 generator(1);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 2000; ++k) {
    const double mu = k % 5 == 0 ? 0 : std::abs(normal(generator));
    Eigen::Matrix<double, Dim, 1> x, other;
    for (int a = 0; a < Dim; ++a) x[a] = normal(generator);
    for (int a = 0; a < Dim; ++a) other[a] = normal(generator);
    const auto p = project_on_cone(x, mu);
    const auto d = (p - x).eval();
    EXPECT_LE(tangent_of(p).norm(), mu * p[0] + 1e-14);
    EXPECT_LE(mu * tangent_of(d).norm(), d[0] + 1e-14);
    EXPECT_NEAR(p.dot(d), 0, 1e-13);
    EXPECT_LE((x - p).norm(), (x - project_on_cone(other, mu)).norm() + 1e-14);
    EXPECT_NEAR(distance_to_cone(x, mu), (x - p).norm(), 1e-15);
    EXPECT_NEAR(distance_to_dual_cone((-x).eval(), mu), (-x - d).norm(), 1e-14);
  }
}

TEST(FrictionCone, ProjectionIsNearestAndMoreauHolds3D) { check_random_projections<3>(); }
TEST(FrictionCone, ProjectionIsNearestAndMoreauHolds2D) { check_random_projections<2>(); }

TEST(FrictionCone, DiscProjectionNeverLengthens) {
  Vector t = vector({3, 4});
  project_on_disc(t, 10);
  EXPECT_EQ(t, vector({3, 4}));
  project_on_disc(t, 1);
  EXPECT_TRUE(t.isApprox(vector({0.6, 0.8})));
  project_on_disc(t, 0);
  EXPECT_EQ(t, vector({0, 0}));
  project_on_disc(t, 0);  // zero over zero
  EXPECT_EQ(t, vector({0, 0}));
}

TEST(FrictionCone, NaNGivesNaN) {
  EXPECT_TRUE(std::isnan(distance_to_cone(vector({NAN, 0, 0}), 0.5)));
  EXPECT_TRUE(std::isnan(distance_to_dual_cone(vector({0, NAN, 0}), 0.5)));
}

}  // namespace
}  // namespace frictionbench
