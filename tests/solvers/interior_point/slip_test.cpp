#include <gtest/gtest.h>

#include <random>

#include "frictionbench/solvers/interior_point/newton_system.hpp"

namespace frictionbench::solvers {
namespace {

template <typename Dimension>
class Slip : public testing::Test {
 protected:
  static constexpr int size = Dimension::value;

  ConeVector<size> anywhere() {
    ConeVector<size> x;
    for (double& component : x) component = normal_(engine_);
    return x;
  }

  ConeVector<size> e_ = ConeVector<size>::Unit(0);

 private:
  std::mt19937 engine_{7};
  std::normal_distribution<double> normal_;
};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Slip, Dimensions);

TYPED_TEST(Slip, JacobianIsTheDerivative) {
  constexpr int dim = TestFixture::size;
  constexpr double h = 1e-6;
  for (int k = 0; k < 50; ++k) {
    const auto z = this->anywhere(), d = this->anywhere();
    const ConeVector<dim> step = h * d;
    const double slope = (slip<dim>(z + step) - slip<dim>(z - step)) / (2 * h);
    const ConeVector<dim> change = slip_jacobian<dim>(z) * d;
    EXPECT_NEAR(change[0], d[0] - slope, 1e-8);
    EXPECT_EQ(tangent_of(change), tangent_of(d));
  }
}

TYPED_TEST(Slip, JacobianAtTheKinkIsTheMeanOfBothSides) {
  constexpr int dim = TestFixture::size;
  constexpr double h = 1e-6;
  const ConeVector<dim> z = 2 * this->e_;
  const auto d = this->anywhere();
  ConeVector<dim> tangent = d;
  tangent[0] = 0;
  const ConeMatrix<dim> before = slip_jacobian<dim>(z - h * tangent);
  const ConeMatrix<dim> after = slip_jacobian<dim>(z + h * tangent);
  const double length = tangent_of(d).norm();
  EXPECT_NEAR((before * tangent)[0], length, 1e-14) << "s falls on the way to the kink";
  EXPECT_NEAR((after * tangent)[0], -length, 1e-14) << "and rises beyond it";
  EXPECT_NEAR((slip<dim>(z + h * tangent) - slip<dim>(z)) / h, length, 1e-9);
  EXPECT_LE((slip_jacobian<dim>(z) - (before + after) / 2).norm(), 1e-14);
}

TYPED_TEST(Slip, SmoothJacobianIsTheDerivative) {
  constexpr int dim = TestFixture::size;
  constexpr double h = 1e-6;
  for (int k = 0; k < 50; ++k) {
    ConeVector<dim> z = this->anywhere();
    z[0] = 0.1 + slip<dim>(z);
    const auto d = this->anywhere();
    const ConeVector<dim> step = h * d;
    const double slope = (smooth_slip<dim>(z + step) - smooth_slip<dim>(z - step)) / (2 * h);
    const ConeVector<dim> change = smooth_slip_jacobian<dim>(z) * d;
    EXPECT_NEAR(change[0], d[0] - slope, 1e-6 * (1 + std::abs(change[0])));
    EXPECT_EQ(tangent_of(change), tangent_of(d));
  }
}

// Where r is not zero, z is on the boundary of the cone.
TYPED_TEST(Slip, BothAreEqualOnTheBoundary) {
  constexpr int dim = TestFixture::size;
  ConeVector<dim> z = this->anywhere();
  z[0] = slip<dim>(z);
  EXPECT_NEAR(smooth_slip<dim>(z), slip<dim>(z), 1e-14);
}

}  // namespace
}  // namespace frictionbench::solvers
