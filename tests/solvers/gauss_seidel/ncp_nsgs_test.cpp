#include <gtest/gtest.h>

#include "frictionbench/criteria/verdict.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench::solvers {
namespace {

using test::limits;
using test::solve;
using test::vector;

Limits tight() { return limits(1e-11); }

TEST(NcpNsgs, OneContactTakesOneSweep) {
  Matrix W(3, 3);
  W << 2, 0.5, 0.1, 0.4, 3, -0.7, 0.1, -0.6, 4;
  const ContactProblem problem(3, vector({0.8}), LocalForm{test::sparse(W), vector({-1, 2, -0.5})});
  const Result result = solve("ncp-nsgs", problem, limits(1e-14));
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_EQ(result.iterations, 1);
  EXPECT_EQ(result.work, (WorkCounters{.products = 1, .sweeps = 1}));
}

// Two coupled contacts whose answer is written down first: one sticks, one slides; q follows.
TEST(NcpNsgs, TwoCoupledContactsWithAKnownAnswer) {
  const double mu = 0.4;
  const Vector r = vector({1.0, 0.1, -0.2, 2.0, -0.6 * mu * 2.0, 0.8 * mu * 2.0});
  const Vector u = vector({0, 0, 0, 0, 0.6 * 3, -0.8 * 3});
  const SparseMatrix W = test::random_problem(3, 2, 6, 5, 1).local().W;
  const ContactProblem problem(3, vector({mu, mu}), LocalForm{W, u - W * r});

  const Result result = solve("ncp-nsgs", problem, tight());
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_LE((result.r - r).norm(), 1e-9);
  const Verdict verdict = judge(problem, result.r);
  EXPECT_EQ(verdict.states.sticking, 1);
  EXPECT_EQ(verdict.states.sliding, 1);
}

TEST(NcpNsgs, AgreesWithTheOtherNcpSolversOnTheVelocity) {
  for (const int dimension : {2, 3})
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
      const ContactProblem problem = test::random_problem(dimension, 5, 5 * dimension, seed, 0.5);
      const Result reference = solve("ncp-nsgs", problem, tight());
      ASSERT_EQ(reference.status, Status::converged) << dimension << " " << seed;
      for (const char* name : {"ncp-pgs", "ncp-admm"}) {
        const Result other = solve(name, problem, tight());
        ASSERT_EQ(other.status, Status::converged) << name << " " << seed;
        EXPECT_LE(
            (problem.contact_velocity(other.r) - problem.contact_velocity(reference.r)).norm(),
            1e-8)
            << name << " " << seed;
      }
    }
}

// r* of a frictionless contact is -(q_N + coupling) / W_NN; by hand, from (1, 1).
TEST(NcpNsgs, RelaxesContactsThatStayClosed) {
  Matrix W = Matrix::Zero(4, 4);
  W.diagonal() << 2, 1, 2, 1;
  W(0, 2) = W(2, 0) = 1;
  const auto sweep = [&](const Vector& q, const Vector& start) {
    const ContactProblem problem(2, vector({0, 0}), LocalForm{test::sparse(W), q});
    return solve("ncp-nsgs(relaxation=1.5)", problem, limits(0, 1), start).r;
  };
  // r*_1 = (5 - 1) / 2 = 2, relaxed 2.5;  r*_2 = (5 - 2.5) / 2 = 1.25, relaxed 1.375
  EXPECT_LE(
      (sweep(vector({-5, 0, -5, 0}), vector({1, 0, 1, 0})) - vector({2.5, 0, 1.375, 0})).norm(),
      1e-15);
  // the first closes, 2; the second opens
  EXPECT_LE((sweep(vector({-4, 0, 1, 0}), vector({0, 0, 0.5, 0})) - vector({1.75, 0, 0, 0})).norm(),
            1e-15);
}

// The separable step of [LeLidec24] Alg. 6 diverges where the tangent directions have very different
// masses; dividing by the larger does not, and the exact local solution does not depend on them.
TEST(NcpNsgs, TangentScalesMayDiffer) {
  Matrix W = Matrix::Identity(3, 3);
  W(2, 2) = 100;
  W(0, 1) = W(1, 0) = 0.5;
  const ContactProblem problem(3, vector({0.5}), LocalForm{test::sparse(W), vector({-1, 0.3, 40})});
  const std::string papers = "ncp-pgs(tangent_divisor=smallest_entry,relaxation=1)";
  EXPECT_NE(solve(papers, problem, limits(1e-6, 100)).status, Status::converged);
  EXPECT_EQ(solve("ncp-nsgs", problem, limits(1e-6, 100)).status, Status::converged);
}

TEST(NcpNsgs, AsymmetricMatrixIsSolvedAsGiven) {
  Matrix W = test::random_problem(3, 4, 12, 9, 1).local().W;
  for (Index k = 1; k < W.rows(); ++k) {
    W(k, k - 1) += 0.05;
    W(k - 1, k) -= 0.05;
  }
  const ContactProblem problem(3, Vector::Constant(4, 0.6),
                               LocalForm{test::sparse(W), Vector::LinSpaced(12, -3, 2)});
  const Result result = solve("ncp-nsgs", problem, tight());
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_LE(judge(problem, result.r).ncp.max(), 1e-11);
}

TEST(NcpNsgs, FrictionlessContactMayHaveNoTangentMass) {
  Matrix W = Matrix::Zero(6, 6);
  W(0, 0) = 2;
  W.bottomRightCorner(3, 3).setIdentity();
  W(0, 3) = W(3, 0) = 0.5;
  const ContactProblem problem(3, vector({0, 0.5}),
                               LocalForm{test::sparse(W), vector({-1, 0, 0, -1, 2, 0})});
  const Result result = solve("ncp-nsgs", problem, tight());
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_EQ(result.r[1], 0);
}

}  // namespace
}  // namespace frictionbench::solvers
