#include <gtest/gtest.h>

#include "support/limits.hpp"
#include "support/mixed_problems.hpp"
#include "support/problems.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench::solvers {
namespace {

using test::limits;
using test::solve;
using test::vector;

Limits one_sweep() { return limits(0, 1); }

// Two coupled 2D contacts, small enough to sweep by hand.
ContactProblem two_contacts() {
  Matrix W(4, 4);
  W << 2, 0.5, 1, 0,  //
      0.5, 4, 0, 0,   //
      1, 0, 2, 0,     //
      0, 0, 0, 1;
  return ContactProblem(2, vector({0.5, 0.5}), LocalForm{test::sparse(W), vector({-2, 1, -3, 2})});
}

TEST(NcpPgs, OneSweepByHand) {
  // contact 0: r_N = 2 / 2 = 1; u_T = 1 + 0.5 = 1.5; r_T = -1.5 / 4 = -0.375, within 0.5
  // contact 1: u_N = -3 + 1 = -2, r_N = 1; r_T = -2 / 1, cut to -0.5
  const Result result = solve("ncp-pgs(relaxation=1)", two_contacts(), one_sweep());
  EXPECT_LE((result.r - vector({1, -0.375, 1, -0.5})).norm(), 1e-15);
  EXPECT_EQ(result.work, (WorkCounters{.products = 1, .sweeps = 1}));
}

TEST(NcpPgs, RelaxationScalesTheStep) {
  // omega = 0.5: r_N = 0.5; u_T = 1 + 0.25; r_T = -0.5 * 1.25 / 4 = -0.15625, within 0.25
  const Result result = solve("ncp-pgs(relaxation=0.5)", two_contacts(), one_sweep());
  EXPECT_LE((result.r.head(2) - vector({0.5, -0.15625})).norm(), 1e-15);
}

TEST(NcpPgs, TangentStepDividesByTheLargestEigenvalueOrTheSmallestEntry) {
  Matrix W = vector({1, 2, 5}).asDiagonal();
  W(1, 2) = W(2, 1) = 2;  // eigenvalues 1 and 6
  const ContactProblem problem(3, vector({10}), LocalForm{test::sparse(W), vector({-1, 0.6, 0.6})});
  const Vector safe = solve("ncp-pgs(relaxation=1)", problem, one_sweep()).r;
  EXPECT_LE((safe - vector({1, -0.1, -0.1})).norm(), 1e-15);
  const Vector papers =
      solve("ncp-pgs(relaxation=1,tangent_divisor=smallest_entry)", problem, one_sweep()).r;
  EXPECT_LE((papers - vector({1, -0.3, -0.3})).norm(), 1e-15);
}

TEST(CcpPgs, OneSweepByHand) {
  // contact 0: step 2 / 6; r = (2/3, -1/3), on the cone's edge mu = 0.5, so it stays
  // contact 1: u = (-3 + 2/3, 2), step 2 / 3; before the projection (14/9, -4/3); then onto the
  // cone: normal (14/9 + 0.5 * 4/3) / 1.25 = 16/9, tangent -8/9
  const Result result = solve("ccp-pgs", two_contacts(), one_sweep());
  EXPECT_LE((result.r - vector({2.0 / 3, -1.0 / 3, 16.0 / 9, -8.0 / 9})).norm(), 1e-14);
  EXPECT_EQ(result.work, (WorkCounters{.products = 1, .sweeps = 1}));
}

TEST(CcpPgs, TakesOffWhileSliding) {
  // The artefact of the CCP, [LeLidec24] (18): a sliding contact separates at u_N = mu ||u_T||.
  const ContactProblem problem = test::one_contact(vector({1, 1, 1}), vector({-1, 3, 0}), 0.5);
  const Vector r = solve("ccp-pgs", problem, limits(1e-12)).r;
  const Vector u = problem.contact_velocity(r);
  EXPECT_GT(u[0], 0.1);
  EXPECT_NEAR(u[0], 0.5 * u.tail(2).norm(), 1e-10);
}

// The step d / trace(W_ii) is more than 2 / W_NN here, so it would oscillate.
TEST(CcpPgs, TakesTheNormalDiagonalWithoutFriction) {
  const Matrix W = vector({1, 0.2, 0.2}).asDiagonal();
  const ContactProblem problem(3, vector({0}), LocalForm{test::sparse(W), vector({-1, 2, 3})});
  const Result result = solve("ccp-pgs", problem, one_sweep());
  EXPECT_LE((result.r - vector({1, 0, 0})).norm(), 1e-15);
}

// A sphere of 5 cm: its spin and rolling rows have entries 100 times as large as the others.
TEST(CcpPgs, SolvesBlocksWhoseRowsMixUnits) {
  const Matrix W = vector({1, 3.5, 3.5, 250, 250}).asDiagonal();
  const ContactProblem rolling(3, Vector(), LocalForm{test::sparse(W), vector({-1, 1, 0, 3, 0})},
                               {rolling_cone(0.5, 0.01)});
  EXPECT_EQ(solve("ccp-pgs", rolling, limits(1e-9)).status, Status::converged);

  const Matrix A = test::random_matrix(12, 12, 4);
  const ContactProblem joints(
      3, Vector(), LocalForm{test::sparse(A * A.transpose() + Matrix::Identity(12, 12)), A.col(0)},
      {equality(6), equality(6)});
  EXPECT_EQ(solve("ccp-pgs(bilateral=block)", joints, limits(1e-9)).status, Status::converged);
}

TEST(LcpPgs, OneSweepByHand) {
  // r_N = 1; r_T1 = -0.4 / 2; r_T2 = -(2.4 - 0.2) / 4, cut to the limit 0.5 of its own axis
  Matrix W = vector({1, 2, 4}).asDiagonal();
  W(1, 2) = W(2, 1) = 1;
  const ContactProblem problem(3, vector({0.5}),
                               LocalForm{test::sparse(W), vector({-1, 0.4, 2.4})});
  const Result result = solve("lcp-pgs", problem, one_sweep());
  EXPECT_LE((result.r - vector({1, -0.2, -0.5})).norm(), 1e-15);
  EXPECT_EQ(result.work, (WorkCounters{.products = 1, .sweeps = 1}));

  // together: both divided by the smaller diagonal entry, neither knows the other
  const Result together = solve("lcp-pgs(tangents=together,relaxation=0.25)", problem, one_sweep());
  EXPECT_LE((together.r - vector({0.25, -0.05, -0.125})).norm(), 1e-15);
}

// Deviation 1 of the solver.
TEST(LcpPgs, CoupledTangentsCycleWhenSteppedTogether) {
  const ContactProblem problem = test::random_problem(3, 4, 12, 23, 0.5);
  EXPECT_EQ(solve("lcp-pgs(tangents=together)", problem).status, Status::max_iterations);
  EXPECT_EQ(solve("lcp-pgs", problem).status, Status::converged);
}

TEST(LcpPgs, InTwoDimensionsThePyramidIsTheCone) {
  EXPECT_EQ(solve("lcp-pgs", two_contacts(), one_sweep()).r,
            solve("ncp-pgs(relaxation=1)", two_contacts(), one_sweep()).r);
}

// [LeLidec24] Figs. 6 and 9. A body of unit mass slides on a plane along x; the facets' axes are
// turned by 30 degrees. Step by step, the pyramid pushes it sideways, and brakes with up to sqrt(2)
// times the friction of the cone.
TEST(LcpPgs, SlidingBodyDeviatesFromItsLine) {
  const double angle = std::acos(-1) / 6, mu = 0.3, weight = 0.1;
  Eigen::Matrix2d axes;  // columns: the tangent axes in the plane
  axes << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
  const auto velocity_after = [&](const std::string& solver, int steps) {
    Eigen::Vector2d v(1, 0);
    for (int k = 0; k < steps; ++k) {
      const Eigen::Vector2d tangent = axes.transpose() * v;
      const ContactProblem problem =
          test::one_contact(vector({1, 1, 1}), vector({-weight, tangent[0], tangent[1]}), mu);
      v += axes * solve(solver, problem).r.tail(2);
    }
    return v;
  };

  const Eigen::Vector2d cone = velocity_after("ncp-pgs(relaxation=1)", 10);
  EXPECT_NEAR(cone[0], 1 - 10 * mu * weight, 1e-12);
  EXPECT_NEAR(cone[1], 0, 1e-12);

  // Both axes slide, so each tangent impulse is at its own limit mu r_N, along -(1, -1) of the
  // axes.
  const Eigen::Vector2d pyramid = velocity_after("lcp-pgs", 10);
  const Eigen::Vector2d expected =
      Eigen::Vector2d(1, 0) - 10 * mu * weight * axes * Eigen::Vector2d(1, -1);
  EXPECT_LE((pyramid - expected).norm(), 1e-12);
  EXPECT_GT(pyramid[1], 0.1);
}

TEST(NcpPgs, DivergenceIsSaidInWords) {
  // Not a Delassus matrix: the two normals feed each other, r grows 2500-fold a sweep.
  Matrix W = Matrix::Identity(4, 4);
  W(0, 2) = W(2, 0) = -50;
  const ContactProblem problem(2, vector({0.5, 0.5}),
                               LocalForm{test::sparse(W), vector({-1, 0, -1, 0})});
  const Result result = solve("ncp-pgs", problem);
  EXPECT_EQ(result.status, Status::diverged);
  EXPECT_EQ(result.stop_reason, StopReason::not_finite);
  EXPECT_NE(result.message.find("infinite or NaN"), std::string::npos);
}

}  // namespace
}  // namespace frictionbench::solvers
