#include "frictionbench/solvers/interior_point/central_path.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace frictionbench::solvers {
namespace {

Vector random_vector(Index size, std::mt19937& engine) {
  std::normal_distribution<double> normal;
  return Vector::NullaryExpr(size, [&](Index) { return normal(engine); });
}

template <typename Dimension>
class CentralPaths : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(CentralPaths, Dimensions);

TYPED_TEST(CentralPaths, AreEnteredWhereXMinusZSays) {
  constexpr int dim = TypeParam::value;
  for (const double tau : {1.0, 1e-3, 1e-8}) {
    Vector y = Vector::LinSpaced(4 * dim, -3, 2);
    y.tail(dim).setZero();
    CentralPath<dim> path(BlockShape(dim, 4));
    path.enter(y, tau);
    EXPECT_LE((path.x() - path.z() - y).norm(), 1e-14 * y.norm() + 1e-14);
    EXPECT_NEAR(path.gap(), tau, 1e-5 * tau);
    for (Index i = 0; i < 4; ++i) {
      const ConeVector<dim> x = path.x().template segment<dim>(dim * i);
      const ConeVector<dim> z = path.z().template segment<dim>(dim * i);
      EXPECT_TRUE(is_inside<dim>(x) && is_inside<dim>(z));
      EXPECT_LE((jordan_product<dim>(x, z) - tau * ConeVector<dim>::Unit(0)).norm(), 1e-5 * tau);
    }
    path.scale();
    EXPECT_LE(path.deviation(tau), 1e-5);
    EXPECT_NEAR(path.deviation(tau / 2), 1, 1e-5);
    EXPECT_LE(path.target(tau).norm(), 1e-5 * path.z().norm()) << "nothing to correct";
  }
}

TYPED_TEST(CentralPaths, StepToTheFirstBoundary) {
  constexpr int dim = TypeParam::value, cones = 20;
  std::mt19937 engine(1);
  for (int k = 0; k < 50; ++k) {
    CentralPath<dim> path(BlockShape(dim, cones));
    path.enter(random_vector(dim * cones, engine), 0.1);
    const Vector dx = random_vector(dim * cones, engine), dz = random_vector(dim * cones, engine);
    double first = 1e3;
    for (Index i = 0; i < cones; ++i) {
      first = std::min(first, step_to_boundary<dim>(path.part(path.x(), i), path.part(dx, i)));
      first = std::min(first, step_to_boundary<dim>(path.part(path.z(), i), path.part(dz, i)));
    }
    EXPECT_NEAR(path.largest_step(dx, dz, 1e3), first, 1e-12 * first);
    EXPECT_EQ(path.largest_step(dx, dz, first / 2), first / 2);
  }
}

TYPED_TEST(CentralPaths, MeasureWhatADirectionMisses) {
  constexpr int dim = TypeParam::value, cones = 20;
  std::mt19937 engine(2);
  CentralPath<dim> path(BlockShape(dim, cones));
  path.enter(random_vector(dim * cones, engine), 0.1);
  path.scale();
  const Vector dx = random_vector(dim * cones, engine), dz = random_vector(dim * cones, engine);
  const Vector missing = random_vector(dim * cones, engine);
  const Vector scaled = path.scaled(dx, dz);
  const Vector p = path.times_scale(dx) + dz;
  EXPECT_LE(path.miss(p, scaled), 1e-12 * scaled.norm());
  EXPECT_NEAR(path.miss(p + missing, scaled), path.widest(missing), 1e-12 * scaled.norm());
}

}  // namespace
}  // namespace frictionbench::solvers
