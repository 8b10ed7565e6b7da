#include "frictionbench/math/lorentz_cone.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <random>

namespace frictionbench {
namespace {

template <int Dim>
class Random {
 public:
  ConeVector<Dim> anywhere() {
    ConeVector<Dim> x;
    for (double& component : x) component = normal_(engine_);
    return x;
  }
  // Inside the cone: relative distance to the boundary from 1e-3 to 10, length from 1e-3 to 1e3.
  ConeVector<Dim> inside() {
    ConeVector<Dim> x = anywhere();
    x[0] = tangent_of(x).norm() * (1 + std::pow(10, distance_(engine_)));
    return x * std::pow(10, length_(engine_));
  }

 private:
  std::mt19937 engine_{7};
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> distance_{-3, 1}, length_{-3, 3};
};

template <typename Dimension>
class LorentzCone : public testing::Test {
 protected:
  static constexpr int size = Dimension::value;
  Random<size> random_;
  ConeVector<size> e_ = ConeVector<size>::Unit(0);
};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(LorentzCone, Dimensions);

TYPED_TEST(LorentzCone, JordanAlgebra) {
  constexpr int dim = TestFixture::size;
  for (int k = 0; k < 50; ++k) {
    const auto x = this->random_.anywhere(), y = this->random_.anywhere();
    EXPECT_EQ(jordan_product<dim>(this->e_, x), x) << "e is the unit";
    EXPECT_LE((jordan_product<dim>(x, y) - jordan_product<dim>(y, x)).norm(), 1e-15);

    // Jordan's identity: x o (x^2 o y) = x^2 o (x o y)
    const ConeVector<dim> square = jordan_product<dim>(x, x);
    const ConeVector<dim> left = jordan_product<dim>(x, jordan_product<dim>(square, y));
    const ConeVector<dim> right = jordan_product<dim>(square, jordan_product<dim>(x, y));
    EXPECT_LE((left - right).norm(), 1e-13 * (1 + left.norm()));
    EXPECT_GE(square[0], tangent_of(square).norm() * (1 - 1e-15)) << "the cone of squares";

    // x^2 - 2 x_0 x + det(x) e = 0
    EXPECT_LE((square - 2 * x[0] * x + determinant<dim>(x) * this->e_).norm(),
              1e-14 * square.norm());
  }
}

TYPED_TEST(LorentzCone, QuotientInvertsTheProduct) {
  constexpr int dim = TestFixture::size;
  for (int k = 0; k < 50; ++k) {
    const auto b = this->random_.anywhere();
    const NtScaling<dim> N(this->random_.inside(), this->random_.inside());
    const ConeVector<dim> y = N.quotient(b);
    const double rounding = 1e-15 * N.lambda().norm() * y.norm();
    EXPECT_LE((jordan_product<dim>(N.lambda(), y) - b).norm(), 10 * rounding + 1e-14 * b.norm());
  }
}

TYPED_TEST(LorentzCone, StepEndsAtTheBoundary) {
  constexpr int dim = TestFixture::size;
  int bounded = 0;
  for (int k = 0; k < 200; ++k) {
    const auto x = this->random_.inside();
    const ConeVector<dim> d = x.norm() * this->random_.anywhere();
    const double step = step_to_boundary<dim>(x, d);
    ASSERT_GT(step, 0);
    if (!std::isfinite(step)) {
      EXPECT_GE(d[0], tangent_of(d).norm() * (1 - 1e-12))
          << "only directions inside the cone are unlimited";
      continue;
    }
    ++bounded;
    EXPECT_TRUE(is_inside<dim>(x + (1 - 1e-6) * step * d));
    EXPECT_FALSE(is_inside<dim>(x + (1 + 1e-6) * step * d));
  }
  EXPECT_GT(bounded, 100);
}

TYPED_TEST(LorentzCone, ScalingMapsBothToTheSamePoint) {
  constexpr int dim = TestFixture::size;
  for (int k = 0; k < 100; ++k) {
    const auto x = this->random_.inside(), z = this->random_.inside();
    const NtScaling<dim> N(x, z);
    const ConeVector<dim>& lambda = N.lambda();
    // rounding grows as x and z approach the boundary
    const double rounding =
        1e-14 * x.squaredNorm() / determinant<dim>(x) * z.squaredNorm() / determinant<dim>(z);
    EXPECT_LE((N.times(z) - lambda).norm(), rounding * lambda.norm());
    EXPECT_LE((N.inverse_times(x) - lambda).norm(), rounding * lambda.norm());
    EXPECT_LE((N.inverse_square() * x - z).norm(), rounding * z.norm());
    EXPECT_NEAR(lambda.squaredNorm(), x.dot(z), rounding * x.dot(z));
    EXPECT_TRUE(is_inside<dim>(lambda));
  }
}

TYPED_TEST(LorentzCone, ScalingIsSymmetricPositiveDefiniteAndPreservesTheCone) {
  constexpr int dim = TestFixture::size;
  for (int k = 0; k < 100; ++k) {
    const auto x = this->random_.inside(), z = this->random_.inside();
    const NtScaling<dim> N(x, z);
    ConeMatrix<dim> matrix, inverse;
    for (int a = 0; a < dim; ++a) {
      matrix.col(a) = N.times(ConeVector<dim>::Unit(a));
      inverse.col(a) = N.inverse_times(ConeVector<dim>::Unit(a));
    }
    EXPECT_LE((matrix - matrix.transpose()).norm(), 1e-14 * matrix.norm());
    EXPECT_LE((inverse * inverse - N.inverse_square()).norm(), 1e-12 * inverse.squaredNorm());
    EXPECT_LE((matrix * inverse - ConeMatrix<dim>::Identity()).norm(),
              1e-14 * matrix.norm() * inverse.norm());
    const Eigen::SelfAdjointEigenSolver<ConeMatrix<dim>> spectrum(matrix);
    EXPECT_GT(spectrum.eigenvalues().minCoeff(), -1e-15 * matrix.norm());
    EXPECT_TRUE(is_inside<dim>(N.times(this->random_.inside())));
  }
}

// Frictionless contacts rely on this: zero tangents stay zero.
TYPED_TEST(LorentzCone, ZeroTangentsStayZero) {
  constexpr int dim = TestFixture::size;
  const NtScaling<dim> N(4 * this->e_, 9 * this->e_);
  EXPECT_LE((N.lambda() - 6 * this->e_).norm(), 1e-15);
  EXPECT_LE((N.inverse_square() - 2.25 * ConeMatrix<dim>::Identity()).norm(), 1e-15);
  EXPECT_EQ(step_to_boundary<dim>(4 * this->e_, -2 * this->e_), 2);
}

}  // namespace
}  // namespace frictionbench
