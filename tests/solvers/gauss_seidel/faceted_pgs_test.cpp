// lcp-pgs with other pyramids than that of four facets.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench::solvers {
namespace {

using test::solve;
using test::vector;

constexpr double pi = std::numbers::pi;
constexpr double mu = 0.5;

Limits tight() { return test::limits(1e-10); }

std::string with_facets(int facets) { return fmt::format("lcp-pgs(facets={})", facets); }

// One contact that closes at 1 and slips freely at `speed` in the direction `angle`.
ContactProblem sliding(double speed, double angle) {
  return test::one_contact(vector({1, 1, 1}),
                           vector({-1, speed * std::cos(angle), speed * std::sin(angle)}), mu);
}

Vector impulse(const ContactProblem& problem, int facets) {
  return solve(with_facets(facets), problem, tight()).r;
}

// Towards a corner, half-way between two facets, there is 1 / cos(pi / K) times too much friction.
TEST(FacetedPgs, ErrorFallsWithTheSquareOfTheFacets) {
  double last = 0;
  for (const int facets : {4, 8, 16, 32, 64}) {
    const ContactProblem problem = sliding(10, pi / facets);
    const Vector exact = solve("ncp-nsgs", problem, tight()).r;
    const double error = (impulse(problem, facets) - exact).norm();
    EXPECT_NEAR(error, mu * (1 / std::cos(pi / facets) - 1), 1e-9) << facets;
    if (facets > 16) {
      EXPECT_NEAR(last / error, 4, 0.1) << facets;
    }
    last = error;
  }
}

// [LeLidec24] Fig. 6: friction goes to a corner, off the line of a fast slip by up to half a facet's
// angle.
TEST(FacetedPgs, AnisotropyFallsWithTheFacets) {
  for (const int facets : {4, 8, 16}) {
    double largest = 0;
    for (int k = 0; k < 2000; ++k) {
      const double angle = 2 * pi * k / 2000 + 1e-3;
      const Eigen::Vector2d r_T = impulse(sliding(1e4, angle), facets).tail(2);
      const Eigen::Vector2d line(std::cos(angle), std::sin(angle));
      largest = std::max(largest, std::acos(std::min(1.0, -r_T.normalized().dot(line))));
    }
    EXPECT_NEAR(largest, pi / facets, 0.01) << facets;
  }
}

// The conditions of the lifted LCP, [YamaneNakamura08] (25) and (26), without beta and lambda:
// Signorini, and no corner of the polygon that dissipates more.
void expect_lifted_lcp(const ContactProblem& problem, const Vector& r, int facets) {
  const Vector u = problem.contact_velocity(r);
  for (Index i = 0; i < problem.contacts(); ++i) {
    const Eigen::Vector3d r_i = r.segment<3>(3 * i), u_i = u.segment<3>(3 * i);
    EXPECT_GE(r_i[0], 0);
    EXPECT_GE(u_i[0], -1e-9);
    EXPECT_NEAR(r_i[0] * u_i[0], 0, 1e-9);
    const double limit = problem.mu()[i] * r_i[0];
    for (int k = 0; k < facets; ++k) {
      const double facet = 2 * pi * k / facets, corner = facet + pi / facets;
      const Eigen::Vector2d d(std::cos(facet), std::sin(facet));
      const Eigen::Vector2d e(std::cos(corner), std::sin(corner));
      EXPECT_LE(d.dot(r_i.tail<2>()), limit + 1e-9);
      EXPECT_GE(u_i.tail<2>().dot(limit / std::cos(pi / facets) * e - r_i.tail<2>()), -1e-9);
    }
  }
}

// With these seeds and so little friction contacts slide.
TEST(FacetedPgs, SolvesTheLiftedLcp) {
  for (const int facets : {3, 5, 6, 8})
    for (const std::uint32_t seed : {0U, 1U, 3U, 4U}) {
      const ContactProblem problem(3, Vector::Constant(4, 0.2),
                                   test::local_form(test::random_problem(3, 4, 12, seed, 0.5)));
      const Result result = solve(with_facets(facets), problem, tight());
      ASSERT_EQ(result.status, Status::converged) << facets << " " << seed << " " << result.message;
      const Vector u = problem.contact_velocity(result.r);
      EXPECT_LE(cone_residuals(ContactModel::lcp, problem, result.r, u, {}, facets).max(), 1e-10);
      EXPECT_GT(cone_residuals(ContactModel::lcp, problem, result.r, u).max(), 1e-10);
      expect_lifted_lcp(problem, result.r, facets);
    }
}

// Four facets are stepped axis by axis instead: the same pyramid, found in another way.
TEST(FacetedPgs, OfFourFacetsSolvesTheLiftedLcpToo) {
  for (std::uint32_t seed = 0; seed < 4; ++seed) {
    const ContactProblem problem = test::random_problem(3, 4, 12, seed, 0.5);
    const Result result = solve("lcp-pgs", problem, tight());
    ASSERT_EQ(result.status, Status::converged);
    expect_lifted_lcp(problem, result.r, 4);
  }
}

// The polygons of 4 and of 12 facets have a corner in this direction.
TEST(FacetedPgs, ACornerOfTwelveFacetsIsACornerOfTheSquare) {
  const ContactProblem problem = sliding(10, pi / 4);
  const Vector square = impulse(problem, 4), twelve = impulse(problem, 12);
  EXPECT_NEAR(square.tail(2).norm(), mu / std::cos(pi / 4), 1e-9);
  EXPECT_NEAR(twelve.tail(2).norm(), mu / std::cos(pi / 12), 1e-9);
  EXPECT_LE((square.tail(2).normalized() - twelve.tail(2).normalized()).norm(), 1e-8);
}

TEST(FacetedPgs, StepOfThePaperHasTheSameFixedPoint) {
  Matrix W = vector({1, 1, 1.5}).asDiagonal();
  W(1, 2) = W(2, 1) = 0.4;
  const ContactProblem problem(3, vector({mu}), LocalForm{test::sparse(W), vector({-1, 3, 1})});
  const Vector together = solve("lcp-pgs(facets=6,tangents=together)", problem, tight()).r;
  EXPECT_LE((together - impulse(problem, 6)).norm(), 1e-9);
}

TEST(FacetedPgs, StickingContactsSolveTheLcpToo) {
  const Result result = solve("lcp-pgs(facets=8)", sliding(0.1, 1), tight());
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_EQ(result.stop_reason, StopReason::residuals);
}

TEST(FacetedPgs, InTwoDimensionsEveryPyramidIsTheCone) {
  const ContactProblem problem = test::random_problem(2, 5, 10, 3, 0.5);
  const Result result = solve("lcp-pgs(facets=8)", problem, tight());
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_EQ(result.r, impulse(problem, 4));
}

}  // namespace
}  // namespace frictionbench::solvers
