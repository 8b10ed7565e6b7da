#include "frictionbench/solvers/nonsmooth_newton/contact_function.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "frictionbench/math/one_contact.hpp"

namespace frictionbench::solvers {
namespace {

constexpr std::array functions{ContactFunction::alart_curnier, ContactFunction::natural_map,
                               ContactFunction::fischer_burmeister};
constexpr VelocityFactors rho{0.7, 0.7};

// r and u beside each other, and F as a function of both.
template <int Dim>
struct Point {
  ConeVector<Dim> r, u;

  Point moved(double step, const Point& d) const { return {r + step * d.r, u + step * d.u}; }
  ContactEquation<Dim> equation(ContactFunction function, double mu) const {
    return contact_equation<Dim>(function, r, u, mu, rho);
  }
  ConeVector<Dim> F(ContactFunction function, double mu) const {
    return equation(function, mu).value;
  }
};

template <int Dim>
ConeVector<Dim> change(const ContactEquation<Dim>& equation, const Point<Dim>& d) {
  return equation.by_velocity * d.u + equation.by_impulse * d.r;
}

template <int Dim>
double difference(const ContactEquation<Dim>& a, const ContactEquation<Dim>& b) {
  return (a.by_velocity - b.by_velocity).norm() + (a.by_impulse - b.by_impulse).norm();
}

template <typename Dimension>
class ContactFunctions : public testing::Test {
 protected:
  static constexpr int size = Dimension::value;

  ConeVector<size> vector() {
    ConeVector<size> x;
    for (double& component : x) component = normal_(engine_);
    return x;
  }
  Point<size> point() { return {vector(), vector()}; }

  // A symmetric positive definite W of one contact.
  ConeMatrix<size> delassus() {
    ConeMatrix<size> J;
    for (int k = 0; k < size; ++k) J.col(k) = vector();
    return J * J.transpose() + 0.2 * ConeMatrix<size>::Identity();
  }

  // A vector (normal, tangent, 0).
  static ConeVector<size> vector(double normal, double tangent) {
    ConeVector<size> x = ConeVector<size>::Zero();
    x[0] = normal;
    x[1] = tangent;
    return x;
  }

  std::mt19937 engine_{3};
  std::normal_distribution<double> normal_;
};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(ContactFunctions, Dimensions);

// Random points lie on every smooth piece, and hardly ever within h of a kink.
TYPED_TEST(ContactFunctions, DerivativesAreThoseOfF) {
  constexpr int dim = TestFixture::size;
  constexpr double h = 1e-6;
  for (const ContactFunction function : functions)
    for (const double mu : {0.0, 0.3, 1.0, 2.0}) {
      SCOPED_TRACE(testing::Message()
                   << "function " << static_cast<int>(function) << ", mu " << mu);
      int smooth = 0, open = 0, sticking = 0, sliding = 0;
      for (int k = 0; k < 2000; ++k) {
        const Point<dim> p = this->point(), d = this->point();
        const ConeVector<dim> ahead = p.moved(h, d).F(function, mu);
        const ConeVector<dim> behind = p.moved(-h, d).F(function, mu);
        const ConeVector<dim> bend = (ahead - 2 * p.F(function, mu) + behind) / h;
        if (bend.norm() > 1e-3) continue;  // a kink in between
        ++smooth;
        const ConeVector<dim> slope = (ahead - behind) / (2 * h);
        EXPECT_LE((change(p.equation(function, mu), d) - slope).norm(), 1e-5 * (1 + slope.norm()));

        const ConeVector<dim> y = p.r - rho.normal * p.u;
        if (y[0] < 0)
          ++open;
        else
          ++(tangent_of(y).norm() < mu * y[0] ? sticking : sliding);
      }
      EXPECT_GE(smooth, 1980);
      EXPECT_GE(open, 500);
      EXPECT_GE(sliding, 100);
      EXPECT_GE(sticking, mu > 0 ? 20 : 0);
    }
}

// A kink and a direction across it: the side towards which `across` points is where the Jacobian
// at the kink comes from.
template <int Dim>
struct Kink {
  const char* name;
  ContactFunction function;
  Point<Dim> at, across;
};

TYPED_TEST(ContactFunctions, JacobianAtAKinkIsThatOfOneSide) {
  constexpr int dim = TestFixture::size;
  constexpr double mu = 0.5, h = 1e-7;
  const auto x = [](double normal, double tangent) { return TestFixture::vector(normal, tangent); };
  using enum ContactFunction;
  const auto zero = x(0, 0);
  // The kinks are met exactly: all numbers except rho are short binary fractions.
  const auto u = [&](double normal, double tangent) {
    return ConeVector<dim>(x(normal, tangent) / rho.normal);
  };
  const std::vector<Kink<dim>> kinks{
      {"closing", alart_curnier, {zero, zero}, {x(-1, 0), zero}},
      {"beginning to slide", alart_curnier, {x(2, 1), zero}, {x(0, -1), zero}},
      {"impulse on the cone", natural_map, {x(2, 1), zero}, {x(1, 0), zero}},
      {"slip begins", natural_map, {x(2, 0.5), zero}, {zero, x(0, -1)}},
      {"at the apex", natural_map, {x(-1, 2), zero}, {x(-1, 0), zero}},
      {"slip begins", fischer_burmeister, {x(2, 0.5), zero}, {zero, x(0, -1)}},
      {"impulse on the cone", fischer_burmeister, {x(2, 1), zero}, {x(1, 0), u(1, 0)}},
      {"nothing acts", fischer_burmeister, {zero, zero}, {x(1, 0), u(1, 0)}},
  };
  for (const Kink<dim>& kink : kinks) {
    SCOPED_TRACE(testing::Message() << kink.name << ", " << static_cast<int>(kink.function));
    const auto here = kink.at.equation(kink.function, mu);
    const auto beyond = kink.at.moved(h, kink.across).equation(kink.function, mu);
    const auto before = kink.at.moved(-h, kink.across).equation(kink.function, mu);
    EXPECT_LE((beyond.value - here.value - h * change(beyond, kink.across)).norm(), 1e-5 * h);
    EXPECT_LE((here.value - before.value - h * change(before, kink.across)).norm(), 1e-5 * h);
    EXPECT_LE(difference(here, beyond), 1e-5);
    EXPECT_GT(difference(before, beyond), 0.1) << "there is no kink";
  }
}

TYPED_TEST(ContactFunctions, VanishAtSolutionsAndNowhereElse) {
  constexpr int dim = TestFixture::size;
  int open = 0, sticking = 0, sliding = 0;
  for (int k = 0; k < 400; ++k) {
    const double mu = 0.25 * (k % 5);
    const ConeMatrix<dim> W = this->delassus();
    const ConeVector<dim> q = this->vector() - TestFixture::vector(0.5, 0);
    const ConeVector<dim> r = solve_one_contact<dim>(W, q, mu);
    const Point<dim> solution{r, W * r + q};
    const ConeVector<dim> d = this->vector();
    const Point<dim> other = solution.moved(1e-3, {d, W * d});
    const double slip = tangent_of(solution.u).norm();
    if (r.isZero(0))
      ++open;
    else
      ++(slip > 1e-9 ? sliding : sticking);
    for (const ContactFunction function : functions) {
      EXPECT_LE(solution.F(function, mu).norm(), 1e-8) << k;
      EXPECT_GE(other.F(function, mu).norm(), 1e-6) << k;
    }
  }
  EXPECT_GE(open, 20);
  EXPECT_GE(sticking, 20);
  EXPECT_GE(sliding, 20);
}

// The factors of the normal and the tangent are apart in one function only.
TYPED_TEST(ContactFunctions, FactorsScaleTheVelocity) {
  constexpr int dim = TestFixture::size;
  const Point<dim> p = this->point();
  const VelocityFactors split{2, 0.5};
  ConeVector<dim> scaled = 0.5 * p.u;
  scaled[0] = 2 * p.u[0];
  const auto unit = [&](ContactFunction function, const ConeVector<dim>& velocity) {
    return contact_equation<dim>(function, p.r, velocity, 0.5, {1, 1}).value;
  };
  using enum ContactFunction;
  for (const ContactFunction function : functions)
    EXPECT_LE((contact_equation<dim>(function, p.r, p.u, 0.5, split).value -
               unit(function, function == alart_curnier ? scaled : ConeVector<dim>(0.5 * p.u)))
                  .norm(),
              1e-14);
}

}  // namespace
}  // namespace frictionbench::solvers
