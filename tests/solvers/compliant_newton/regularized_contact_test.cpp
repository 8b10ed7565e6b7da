#include "frictionbench/solvers/compliant_newton/regularized_contact.hpp"

#include <gtest/gtest.h>

#include <random>

namespace frictionbench::solvers {
namespace {

template <typename Dimension>
class RegularizedContactTest : public testing::Test {
 protected:
  static constexpr int Dim = Dimension::value;
  using Contact = RegularizedContact<Dim>;
  using Velocity = typename Contact::Segment;

  Velocity random_velocity() {
    return Velocity::NullaryExpr([&] { return normal_(generator_); });
  }

  // One with y = -R^-1 u of size 1: most of those that stick are found so.
  Velocity random_velocity(const Contact& contact) {
    Velocity u = contact.tangent * random_velocity();
    u[0] *= contact.normal / contact.tangent;
    return u;
  }

  static double cost(const Contact& contact, const Velocity& u) {
    return contact.cost(contact.impulse(u));
  }

  static auto curvature(const Contact& contact, const Velocity& u) {
    const auto C = contact.curvature_root(u);
    return (C * C.transpose()).eval();
  }

  // dr/du along `direction`, by a difference to the side that it points to, or a central one.
  static Velocity slope_of_impulse(const Contact& contact, const Velocity& u,
                                   const Velocity& direction, bool one_side) {
    const double h = one_side ? 1e-7 : 1e-6;
    const Velocity behind = one_side ? u : u - h * direction;
    return (contact.impulse(u + h * direction) - contact.impulse(behind)) / (one_side ? h : 2 * h);
  }

  const std::vector<Contact> contacts_ = {
      {0.5, 0.2, 0.01}, {0.5, 0.01, 0.2}, {1.5, 1, 1}, {0, 0.3, 0.1}};

 private:
  std::mt19937 generator_{5};
  std::normal_distribution<double> normal_;
};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(RegularizedContactTest, Dimensions);

// Against the Euclidean projection: R^1/2 r = P(R^1/2 y) on the cone of mu (R_T / R_N)^1/2 (D
// appendix C).
TYPED_TEST(RegularizedContactTest, ProjectsInTheNormOfTheCompliance) {
  using Segment = typename TestFixture::Velocity;
  for (const auto& contact : this->contacts_)
    for (int k = 0; k < 200; ++k) {
      const Segment u = this->random_velocity();
      Segment root = Segment::Constant(std::sqrt(contact.tangent));
      root[0] = std::sqrt(contact.normal);
      const Segment y = contact.target(u);
      const double mu = contact.mu * std::sqrt(contact.tangent / contact.normal);
      const Segment known = project_on_cone(root.cwiseProduct(y), mu).cwiseQuotient(root);
      EXPECT_LE((contact.impulse(u) - known).norm(), 1e-13 * (1 + y.norm()));
    }
}

// What eliminates the constraint of the compliant CCP: K ∋ r ⟂ u + R r ∈ K* (D appendix B).
TYPED_TEST(RegularizedContactTest, ImpulseSolvesTheCompliantContact) {
  using Segment = typename TestFixture::Velocity;
  for (const auto& contact : this->contacts_)
    for (int k = 0; k < 200; ++k) {
      const Segment u = this->random_velocity(), r = contact.impulse(u);
      Segment moved = u + contact.tangent * r;
      moved[0] = u[0] + contact.normal * r[0];
      const double size = 1 + r.norm();
      EXPECT_LE(distance_to_cone(r, contact.mu), 1e-14 * size);
      EXPECT_LE(distance_to_dual_cone(moved, contact.mu), 1e-13 * size);
      EXPECT_LE(std::abs(r.dot(moved)), 1e-13 * size * size);
    }
}

// Away from the kinks, by central differences, in every region.
TYPED_TEST(RegularizedContactTest, DerivativesInEveryRegion) {
  using Segment = typename TestFixture::Velocity;
  using Region = typename TestFixture::Contact::Region;
  for (const auto& contact : this->contacts_) {
    int seen[3] = {0, 0, 0};
    for (int k = 0; k < 2000; ++k) {
      const Segment u = k % 2 == 0 ? this->random_velocity() : this->random_velocity(contact);
      const Segment direction = this->random_velocity().normalized();
      const Region region = contact.region(u);
      constexpr double h = 1e-6;
      if (contact.region(u + h * direction) != region ||
          contact.region(u - h * direction) != region)
        continue;
      ++seen[static_cast<int>(region)];
      const double slope =
          (this->cost(contact, u + h * direction) - this->cost(contact, u - h * direction)) /
          (2 * h);
      const double size = 1 + contact.impulse(u).norm();
      EXPECT_NEAR(slope, -contact.impulse(u).dot(direction), 1e-7 * size * size);
      EXPECT_LE((this->slope_of_impulse(contact, u, direction, false) +
                 this->curvature(contact, u) * direction)
                    .norm(),
                1e-4 * size)
          << "region " << static_cast<int>(region);
    }
    EXPECT_EQ(seen[0] > 20, contact.mu > 0) << "sticking";
    EXPECT_GT(seen[1], 20) << "sliding";
    EXPECT_GT(seen[2], 20) << "separated";
  }
}

// At the border of two regions the impulse is continuous, and its slope to either side is the
// curvature of the region there.
TYPED_TEST(RegularizedContactTest, DerivativesOnBothSidesOfEveryKink) {
  using Segment = typename TestFixture::Velocity;
  using Region = typename TestFixture::Contact::Region;
  for (const auto& contact : this->contacts_) {
    Segment tangent = Segment::Zero();
    tangent.template tail<TestFixture::Dim - 1>().setConstant(
        1 / std::sqrt(static_cast<double>(TestFixture::Dim - 1)));
    // y = -R^-1 u on the border of the cone, and of its polar in the norm of R
    Segment sticking_border = -contact.mu * contact.tangent * tangent;
    sticking_border[0] = -contact.normal;
    const Segment separated_border = contact.mu * Segment::Unit(0) + tangent;
    struct Kink {
      Segment u;
      Region below, above;  // for less and for more normal velocity
    };
    std::vector<Kink> kinks = {{separated_border, Region::sliding, Region::separated}};
    if (contact.mu > 0) kinks.push_back({sticking_border, Region::sticking, Region::sliding});
    for (const Kink& kink : kinks)
      for (const double side : {-1.0, 1.0}) {
        // Off the border by far less than the step of the difference.
        const Segment direction = side * Segment::Unit(0);
        const Segment u = kink.u + 1e-9 * direction;
        ASSERT_EQ(contact.region(u), side < 0 ? kink.below : kink.above);
        const Segment expected = -this->curvature(contact, u) * direction;
        EXPECT_LE((this->slope_of_impulse(contact, u, direction, true) - expected).norm(),
                  1e-4 * (1 + expected.norm()));
        EXPECT_LE((contact.impulse(u) - contact.impulse(kink.u)).norm(),
                  1e-8 * (1 + expected.norm()));
      }
  }
}

TYPED_TEST(RegularizedContactTest, ImpulseIsMonotone) {
  using Segment = typename TestFixture::Velocity;
  for (const auto& contact : this->contacts_)
    for (int k = 0; k < 200; ++k) {
      const Segment u = this->random_velocity(), v = this->random_velocity();
      EXPECT_LE((contact.impulse(u) - contact.impulse(v)).dot(u - v), 1e-13);
    }
}

TYPED_TEST(RegularizedContactTest, NothingAtZeroVelocity) {
  using Segment = typename TestFixture::Velocity;
  for (const auto& contact : this->contacts_) {
    EXPECT_TRUE(contact.impulse(Segment::Zero()).isZero(0));
    EXPECT_TRUE(contact.curvature_root(Segment::Zero()).allFinite());
  }
}

}  // namespace
}  // namespace frictionbench::solvers
