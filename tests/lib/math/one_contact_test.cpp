#include "frictionbench/math/one_contact.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "frictionbench/math/friction_cone.hpp"

namespace frictionbench {
namespace {

template <int Dim>
using Impulse = Eigen::Matrix<double, Dim, 1>;
template <int Dim>
using Block = Eigen::Matrix<double, Dim, Dim>;

// Largest of the three NCP residuals, relative to the quantities that determine rounding: the terms
// of u = W r + q, and the impulse that stops the contact.
template <int Dim>
double relative_residual(const Block<Dim>& W, const Impulse<Dim>& q, double mu,
                         const Impulse<Dim>& r) {
  const double stopping = std::abs(q[0]) / W(0, 0);
  const double impulse = r.norm() + stopping;
  const double velocity = W.norm() * impulse + q.norm();
  if (velocity == 0) return r.norm();
  Impulse<Dim> u = W * r + q;
  u[0] += de_saxce_correction(u, mu);
  const double size = 1 + mu;  // û_N has a term mu ||u_T||
  return std::max({distance_to_cone(r, mu) / impulse,
                   distance_to_dual_cone(u, mu) / (size * velocity),
                   std::abs(r.dot(u)) / (size * impulse * velocity)});
}

TEST(OneContact, TakesOff) {
  const Block<3> W = Block<3>::Identity();
  EXPECT_EQ(solve_one_contact<3>(W, {1, 5, -3}, 0.5), Impulse<3>::Zero());
  EXPECT_EQ(solve_one_contact<3>(W, {0, 5, -3}, 0.5), Impulse<3>::Zero());
  EXPECT_EQ(solve_one_contact<2>(Block<2>::Identity(), {1, 5}, 0.5), Impulse<2>::Zero());
}

TEST(OneContact, Sticks) {
  Block<3> W;
  W << 2, 0.5, 0, 0.5, 3, 0, 0, 0, 4;
  const Impulse<3> r(1, 0.3, -0.4);  // at the Coulomb limit of mu = 0.5
  EXPECT_LE((solve_one_contact<3>(W, -W * r, 0.5) - r).norm(), 1e-14);
  EXPECT_LE((solve_one_contact<3>(W, -W * r, 2.0) - r).norm(), 1e-14);
  const Block<2> W2 = W.topLeftCorner<2, 2>();
  const Impulse<2> r2(1, -0.5);
  EXPECT_LE((solve_one_contact<2>(W2, -W2 * r2, 0.5) - r2).norm(), 1e-14);
}

TEST(OneContact, SlidesWithAKnownSlip) {
  Block<3> W;
  W << 2, 0.5, 0.1, 0.4, 3, -0.7, 0.1, -0.6, 4;  // not symmetric
  for (int k = 0; k < 16; ++k) {
    const double mu = 0.8, slip = k < 8 ? 2.0 : 1e-9;
    const Eigen::Vector2d direction(std::cos(k), std::sin(k));
    Impulse<3> r, u;
    r << 0.7, -mu * 0.7 * direction;
    u << 0, slip * direction;
    EXPECT_LE((solve_one_contact<3>(W, u - W * r, mu) - r).norm(), 1e-14) << k;
  }
  const Block<2> W2 = W.topLeftCorner<2, 2>();
  for (const double side : {-1, 1}) {
    const Impulse<2> r(0.7, -side * 0.8 * 0.7), u(0, 3 * side);
    EXPECT_LE((solve_one_contact<2>(W2, u - W2 * r, 0.8) - r).norm(), 1e-14);
  }
}

TEST(OneContact, WithoutFrictionStopsTheNormalVelocityOnly) {
  Block<3> W = Block<3>::Identity();
  W(0, 0) = 4;
  EXPECT_EQ(solve_one_contact<3>(W, {-2, 7, 7}, 0), Impulse<3>(0.5, 0, 0));
  W.bottomRightCorner<2, 2>().setZero();  // not used
  EXPECT_EQ(solve_one_contact<3>(W, {-2, 7, 7}, 0), Impulse<3>(0.5, 0, 0));
}

// Friction is coupled to the normal so strongly (mu ||W_NT|| > W_NN) that the sticking impulse
// would have a negative normal part: the contact jams and slides.
TEST(OneContact, SolvesStronglyCoupledContacts) {
  Block<2> W;
  W << 1, -0.9, -0.9, 1;
  for (const double tangent : {-3.0, -0.5, 0.5, 3.0}) {
    const Impulse<2> q(-1, tangent);
    EXPECT_LE(relative_residual<2>(W, q, 2.0, solve_one_contact<2>(W, q, 2.0)), 1e-15);
    Block<3> W3 = Block<3>::Identity();
    W3.topLeftCorner<2, 2>() = W;
    const Impulse<3> q3(-1, tangent, 0.2);
    EXPECT_LE(relative_residual<3>(W3, q3, 2.0, solve_one_contact<3>(W3, q3, 2.0)), 1e-15);
  }
}

// Three directions of contact, one degree of freedom: no impulse changes the remaining slip.
TEST(OneContact, SolvesSingularBlocks) {
  const Impulse<3> J(1, 0.5, 0);
  const Block<3> W = J * J.transpose();
  const Impulse<3> q(-1, 1, 0.3);
  const Impulse<3> r = solve_one_contact<3>(W, q, 0.5);
  EXPECT_LE(relative_residual<3>(W, q, 0.5, r), 1e-15);
  EXPECT_NEAR((W * r + q)[2], 0.3, 1e-15);
  const Block<2> W2 = W.topLeftCorner<2, 2>();
  const Impulse<2> q2(-1, 1);
  EXPECT_LE(relative_residual<2>(W2, q2, 0.5, solve_one_contact<2>(W2, q2, 0.5)), 1e-15);
}

TEST(OneContact, NaNGivesNaN) {
  const double nan = std::nan("");
  EXPECT_TRUE(std::isnan(solve_one_contact<3>(Block<3>::Identity(), {nan, 1, 1}, 0.5)[0]));
  EXPECT_TRUE(std::isnan(solve_one_contact<2>(Block<2>::Identity(), {-1, nan}, 0.5)[1]));
}

// Random contacts of every kind found in real files: scaled over ten orders of magnitude, from
// frictionless to mu = 100, singular to rounding, not symmetric, on the edge between sticking and
// sliding.
template <int Dim>
class RandomContact {
 public:
  explicit RandomContact(std::uint32_t seed) : generator_(seed) {}

  Block<Dim> W;
  Impulse<Dim> q;
  double mu = 0;

  void next() {
    Block<Dim> J = random_block();
    if (one_of(3)) J.row(Dim - 1) = J.row(1) + std::pow(10, uniform(-12, 0)) * J.row(Dim - 1);
    W = J * J.transpose();
    if (one_of(4)) {
      const Block<Dim> A = random_block();
      W += std::pow(10, uniform(-8, -1)) * W.diagonal().minCoeff() * (A - A.transpose());
    }
    W *= std::pow(10, uniform(-5, 5));
    mu = one_of(10) ? 0 : std::pow(10, uniform(-3, 2));

    q = random_block().col(0);
    if (one_of(3)) at_the_edge();
    q *= std::pow(10, uniform(-5, 5));
  }

 private:
  // Sets q such that the contact, at the Coulomb limit, barely slides or barely sticks.
  void at_the_edge() {
    const Impulse<Dim> direction = random_block().col(0);
    Impulse<Dim> r = Impulse<Dim>::UnitX(), u = Impulse<Dim>::Zero();
    tangent_of(r) = -mu * tangent_of(direction).normalized();
    if (one_of(2))
      tangent_of(u) = std::pow(10, uniform(-18, -6)) * tangent_of(direction);
    else
      tangent_of(r) *= 1 - std::pow(10, uniform(-18, -6));
    q = u - W / W.norm() * r;
    W /= W.norm();
  }

  bool one_of(int n) { return std::uniform_int_distribution<int>(1, n)(generator_) == 1; }
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator_);
  }
  Block<Dim> random_block() {
    std::normal_distribution<double> normal;
    return Block<Dim>::NullaryExpr([&] { return normal(generator_); });
  }

  std::mt19937 generator_;
};

template <int Dim>
void check_random_contacts() {
  RandomContact<Dim> contact(7);
  int sliding = 0, taking_off = 0;
  for (int k = 0; k < 100000; ++k) {
    contact.next();
    const Impulse<Dim> r = solve_one_contact<Dim>(contact.W, contact.q, contact.mu);
    const double residual = relative_residual<Dim>(contact.W, contact.q, contact.mu, r);
    ASSERT_LE(residual, 1e-14) << "contact " << k << " mu " << contact.mu << "\nW\n"
                               << contact.W << "\nq " << contact.q.transpose() << "\nr "
                               << r.transpose();
    taking_off += r.isZero(0);
    sliding += tangent_of(r).norm() > (1 - 1e-12) * contact.mu * r[0] && r[0] > 0;
  }
  EXPECT_GT(taking_off, 10000);  // the sample contains all three states
  EXPECT_GT(sliding, 10000);
  EXPECT_LT(sliding + taking_off, 90000);
}

TEST(OneContact, SolvesEveryRandomContactToRounding3D) { check_random_contacts<3>(); }
TEST(OneContact, SolvesEveryRandomContactToRounding2D) { check_random_contacts<2>(); }

}  // namespace
}  // namespace frictionbench
