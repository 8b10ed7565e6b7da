#include <gtest/gtest.h>

#include "gauss_seidel/ccp_pgs.hpp"
#include "gauss_seidel/ncp_pgs.hpp"
#include "support/problems.hpp"

namespace frictionbench::solvers {
namespace {

using test::vector;

Limits one_sweep() {
  Limits limits;
  limits.tolerances = {0, 0, 0};
  limits.max_iterations = 1;
  return limits;
}

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
  const Result result = NcpPgs({}).solve(two_contacts(), one_sweep());
  EXPECT_LE((result.r - vector({1, -0.375, 1, -0.5})).norm(), 1e-15);
  EXPECT_EQ(result.work, (WorkCounters{.products = 1, .sweeps = 1}));
}

TEST(NcpPgs, RelaxationScalesTheStep) {
  // omega = 0.5: r_N = 0.5; u_T = 1 + 0.25; r_T = -0.5 * 1.25 / 4 = -0.15625, within 0.25
  const Result result = NcpPgs({.relaxation = 0.5}).solve(two_contacts(), one_sweep());
  EXPECT_LE((result.r.head(2) - vector({0.5, -0.15625})).norm(), 1e-15);
}

TEST(NcpPgs, TangentStepDividesByTheSmallerDiagonalEntry) {
  const ContactProblem problem = test::one_contact(vector({1, 2, 8}), vector({-1, 0.4, 0.4}), 10);
  const Result result = NcpPgs({}).solve(problem, one_sweep());
  EXPECT_LE((result.r - vector({1, -0.2, -0.2})).norm(), 1e-15);
}

TEST(CcpPgs, OneSweepByHand) {
  // contact 0: step 2 / 6; r = (2/3, -1/3), on the cone's edge mu = 0.5, so it stays
  // contact 1: u = (-3 + 2/3, 2), step 2 / 3; before the projection (14/9, -4/3); then onto the
  // cone: normal (14/9 + 0.5 * 4/3) / 1.25 = 16/9, tangent -8/9
  const Result result = CcpPgs({}).solve(two_contacts(), one_sweep());
  EXPECT_LE((result.r - vector({2.0 / 3, -1.0 / 3, 16.0 / 9, -8.0 / 9})).norm(), 1e-14);
  EXPECT_EQ(result.work, (WorkCounters{.products = 1, .sweeps = 1}));
}

TEST(CcpPgs, TakesOffWhileSliding) {
  // The artefact of the CCP, L (18): a sliding contact separates at u_N = mu ||u_T||.
  const ContactProblem problem = test::one_contact(vector({1, 1, 1}), vector({-1, 3, 0}), 0.5);
  Limits limits;
  limits.tolerances = {1e-12, 1e-12, 1e-12};
  const Vector r = CcpPgs({}).solve(problem, limits).r;
  const Vector u = problem.contact_velocity(r);
  EXPECT_GT(u[0], 0.1);
  EXPECT_NEAR(u[0], 0.5 * u.tail(2).norm(), 1e-10);
}

TEST(NcpPgs, DivergenceIsAnErrorInWords) {
  // Not a Delassus matrix: the two normals feed each other, r grows 2500-fold a sweep.
  Matrix W = Matrix::Identity(4, 4);
  W(0, 2) = W(2, 0) = -50;
  const ContactProblem problem(2, vector({0.5, 0.5}),
                               LocalForm{test::sparse(W), vector({-1, 0, -1, 0})});
  const Result result = NcpPgs({}).solve(problem, Limits());
  EXPECT_EQ(result.status, Status::error);
  EXPECT_NE(result.message.find("diverged"), std::string::npos);
}

}  // namespace
}  // namespace frictionbench::solvers
