#include "frictionbench/solvers/pivoting/contact_lcp.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include "frictionbench/criteria/verdict.hpp"
#include "frictionbench/math/friction_pyramid.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench::solvers {
namespace {

using test::random_problem;
using test::sparse;
using test::vector;

// The largest violation of w >= 0, z >= 0 and w^T z = 0.
double violation(const Lcp& lcp, const Vector& z) {
  const Vector w = lcp.M * z + lcp.q;
  return std::max({-w.minCoeff(), -z.minCoeff(), std::abs(w.dot(z))});
}

TEST(ContactLcp, OneContactAsInThePaper) {
  Matrix W(3, 3);
  W << 2, 0.5, 0.25, 0.75, 3, 1, 0.125, 0.5, 4;
  const Vector q = vector({-1, 2, -3});
  const ContactLcp contact({3, vector({0.5}), LocalForm{sparse(W), q}}, 4);

  Matrix D(2, 4);
  D << 1, -1, -1, 1,  //
      1, 1, -1, -1;
  Matrix M = Matrix::Zero(6, 6);
  M(0, 0) = 2;
  M.block(0, 1, 1, 4) = W.block(0, 1, 1, 2) * D;
  M.block(1, 0, 4, 1) = D.transpose() * W.block(1, 0, 2, 1);
  M.block(1, 1, 4, 4) = D.transpose() * W.block(1, 1, 2, 2) * D;
  M.block(1, 5, 4, 1).setOnes();
  M(5, 0) = 0.5;
  M.block(5, 1, 1, 4).setConstant(-1);
  EXPECT_TRUE(Matrix(contact.lcp().M).isApprox(M, 1e-14));
  EXPECT_TRUE(contact.lcp().q.isApprox(vector({-1, -1, -5, 1, 5, 0}), 1e-14));
  EXPECT_TRUE(contact.impulse(vector({3, 1, 0, 0, 2, 7})).isApprox(vector({3, 3, -1}), 1e-14));
}

TEST(ContactLcp, OrderIsThatOfThePaperWithoutVariablesOfFrictionlessContacts) {
  const ContactProblem problem(
      2, vector({0.5, 0, 0.25}),
      LocalForm{sparse(Matrix::Identity(6, 6)), vector({1, 2, 3, 4, 5, 6})});
  const ContactLcp contacts(problem, 8);
  EXPECT_EQ(contacts.size(), 3 + 4 + 2);
  EXPECT_EQ(contacts.directions(), 2);
  EXPECT_FALSE(contacts.has_friction(1));
  EXPECT_EQ(contacts.first_weight(0), 3);
  EXPECT_EQ(contacts.first_weight(2), 5);
  EXPECT_EQ(contacts.multiplier(0), 7);
  EXPECT_EQ(contacts.multiplier(2), 8);
  EXPECT_EQ(contacts.lcp().q, vector({1, 3, 5, 2, -2, 6, -6, 0, 0}));
  EXPECT_EQ(contacts.impulse(vector({1, 2, 3, 4, 1, 0, 2, 9, 9})), vector({1, 3, 2, 0, 3, -2}));
}

TEST(ContactLcp, CornersAreThoseOfThePyramidOfTheVerdict) {
  std::mt19937 generator(4);
  for (const int K : {3, 4, 5, 8, 16}) {
    const RegularPyramid pyramid(K);
    for (int k = 0; k < K; ++k) {
      const Eigen::Vector2d e = pyramid.corner(k);
      EXPECT_TRUE(pyramid.project({1, 0.5 * e[0], 0.5 * e[1]}, 0.5)
                      .isApprox(Eigen::Vector3d(1, 0.5 * e[0], 0.5 * e[1]), 1e-14));
    }
    for (int trial = 0; trial < 100; ++trial) {
      const Vector u = test::random_matrix(3, 1, generator);
      double support = 0;
      for (int k = 0; k < K; ++k)
        support = std::max(support, -0.5 * pyramid.corner(k).dot(u.tail<2>()));
      EXPECT_NEAR(pyramid.correction(u, 0.5), support, 1e-13);
    }
  }
}

TEST(ContactLcp, MatrixIsCopositive) {
  std::mt19937 generator(5);
  const ContactProblem problem = random_problem(3, 4, 7, 3);
  const ContactLcp contacts(problem, 8);
  for (int trial = 0; trial < 1000; ++trial) {
    const Vector z = test::random_matrix(contacts.size(), 1, generator).cwiseAbs();
    EXPECT_GE(z.dot(contacts.lcp().M * z), -1e-12);
  }
}

// An impulse that solves the problem gives variables that solve the LCP, and the same impulse again.
TEST(ContactLcp, SolutionsOfTheProblemAreThoseOfTheLcp) {
  for (const int dim : {2, 3})
    for (const int K : {3, 4, 8}) {
      if (dim == 2 && K != 8) continue;
      for (std::uint32_t seed = 0; seed < 5; ++seed) {
        const ContactProblem problem = random_problem(dim, 4, 4 * dim, seed);
        const std::string solver = "lcp-pgs(facets=" + std::to_string(K) + ")";
        const Result result = test::solve(solver, problem, test::limits(1e-12));
        ASSERT_EQ(result.status, Status::converged) << solver << ' ' << seed;
        const ContactLcp contacts(problem, K);
        const Vector z = contacts.variables(result.r, problem.contact_velocity(result.r));
        EXPECT_LT(violation(contacts.lcp(), z), 1e-9) << solver << ' ' << seed;
        EXPECT_TRUE(contacts.impulse(z).isApprox(result.r, 1e-12));
      }
    }
}

TEST(ContactLcp, ImpulsesOfAnyDirectionComeBack) {
  for (const int K : {3, 4, 5, 8}) {
    const ContactProblem problem(3, vector({0.5}),
                                 LocalForm{sparse(Matrix::Identity(3, 3)), Vector::Zero(3)});
    const ContactLcp contact(problem, K);
    for (int step = 0; step < 48; ++step) {
      const double angle = 2 * std::numbers::pi * step / 48;
      const Vector r = vector({2, std::cos(angle), std::sin(angle)});
      const Vector z = contact.variables(r, r);
      EXPECT_GE(z.minCoeff(), 0);
      EXPECT_TRUE(contact.impulse(z).isApprox(r, 1e-13)) << K << ' ' << step;
      EXPECT_LE(z.segment(contact.first_weight(0), K).sum(), 1 + 1e-13);  // corners are beyond 1
    }
  }
}

}  // namespace
}  // namespace frictionbench::solvers
