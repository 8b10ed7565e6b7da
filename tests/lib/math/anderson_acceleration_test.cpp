#include "frictionbench/math/anderson_acceleration.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

namespace frictionbench {
namespace {

using Type = AndersonAcceleration::Type;
constexpr Type types[] = {Type::one, Type::two};

// T(x) = B x + b, a contraction with eigenvalues spread over [0.1, 0.99].
struct AffineMap {
  explicit AffineMap(Index size)
      : B(Vector::LinSpaced(size, 0.1, 0.99).asDiagonal()), b(Vector::LinSpaced(size, -1, 2)) {
    // An orthogonal change of basis, so that no component is special.
    const Matrix random = Matrix::Random(size, size);
    const Matrix Q = Eigen::HouseholderQR<Matrix>(random).householderQ();
    B = Q * B * Q.transpose();
  }
  Vector residual(const Vector& x) const { return B * x + b - x; }
  Vector fixed_point() const {
    return (Matrix::Identity(B.rows(), B.cols()) - B).partialPivLu().solve(b);
  }
  Matrix B;
  Vector b;
};

Vector step(AndersonAcceleration& acceleration, const Vector& x, const Vector& g) {
  return acceleration.extrapolate(x, g).value_or(Vector(x + g));
}

double error_after(int steps, AndersonAcceleration& acceleration, const AffineMap& map) {
  Vector x = Vector::Zero(map.b.size());
  for (int k = 0; k < steps; ++k) x = step(acceleration, x, map.residual(x));
  return (x - map.fixed_point()).norm() / map.fixed_point().norm();
}

// With a memory as long as x, both types are Krylov methods, which end after m + 1 steps.
TEST(AndersonAcceleration, SolvesAnAffineProblemInAsManyStepsAsUnknowns) {
  const AffineMap map(8);
  for (const Type type : types) {
    AndersonAcceleration acceleration(8, type);
    acceleration.reset(Vector::Ones(8));
    EXPECT_LE(error_after(10, acceleration, map), 1e-6);
  }
  AndersonAcceleration plain(0, Type::two);
  plain.reset(Vector::Ones(8));
  EXPECT_GE(error_after(10, plain, map), 0.1) << "the plain iteration is much slower";
}

TEST(AndersonAcceleration, ShortMemoryStillAccelerates) {
  const AffineMap map(40);
  for (const Type type : types) {
    AndersonAcceleration acceleration(5, type);
    acceleration.reset(Vector::Ones(40));
    AndersonAcceleration plain(0, type);
    plain.reset(Vector::Ones(40));
    EXPECT_LE(error_after(60, acceleration, map), 0.01 * error_after(60, plain, map));
  }
}

// Scaling x by S and M by S^-2 leaves the problem the same.
TEST(AndersonAcceleration, MetricCompensatesAChangeOfUnits) {
  const AffineMap map(12);
  const Vector S = Vector::LinSpaced(12, -3, 3).array().exp();
  for (const Type type : types) {
    AndersonAcceleration original(3, type), scaled(3, type);
    original.reset(Vector::Ones(12));
    scaled.reset(S.cwiseProduct(S).cwiseInverse());
    Vector x = Vector::Zero(12);
    Vector y = x;
    for (int k = 0; k < 8; ++k) {
      x = step(original, x, map.residual(x));
      y = step(scaled, y, S.cwiseProduct(map.residual(y.cwiseQuotient(S))));
      EXPECT_LE((y.cwiseQuotient(S) - x).norm(), 1e-6 * x.norm()) << k;
    }
  }
}

TEST(AndersonAcceleration, FirstStepAfterARestartIsPlain) {
  const AffineMap map(6);
  AndersonAcceleration acceleration(4, Type::two);
  acceleration.reset(Vector::Ones(6));
  error_after(5, acceleration, map);
  acceleration.restart();
  const Vector x = Vector::Ones(6);
  EXPECT_FALSE(acceleration.extrapolate(x, map.residual(x)).has_value());
  EXPECT_TRUE(acceleration.extrapolate(2 * x, map.residual(2 * x)).has_value());
}

// If all differences are equal, the small system is singular.
TEST(AndersonAcceleration, SurvivesDependentDifferences) {
  for (const Type type : types) {
    AndersonAcceleration acceleration(4, type);
    acceleration.reset(Vector::Ones(3));
    Vector x = Vector::Zero(3);
    for (int k = 0; k < 10; ++k) {
      x = step(acceleration, x, Vector::Ones(3));  // a drift: T(x) = x + 1
      ASSERT_TRUE(x.allFinite());
    }
  }
}

}  // namespace
}  // namespace frictionbench
