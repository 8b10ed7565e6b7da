#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frictionbench/math/one_contact.hpp"
#include "frictionbench/solvers/register_all.hpp"
#include "frictionbench/solvers/staggered/ccp_desaxce.hpp"
#include "frictionbench/solvers/staggered/ncp_staggered.hpp"
#include "frictionbench/solvers/staggered/ncp_tresca.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"

namespace frictionbench::solvers {
namespace {

using test::limits;
using test::vector;
using testing::HasSubstr;

// A sliding contact whose friction changes the normal impulse.
struct Coupled {
  Eigen::Matrix3d W{{2, 0.4, 0.3}, {0.4, 1.5, 0.1}, {0.3, 0.1, 3}};
  Eigen::Vector3d q{-1, 2, -3};
  double mu = 0.5;
  ContactProblem problem{3, vector({mu}), LocalForm{test::sparse(W), q}};
};

class ThroughConvexProblems : public testing::TestWithParam<std::string> {
 protected:
  ConfiguredSolver solver_ = all_solvers().make(GetParam());
};

TEST_P(ThroughConvexProblems, FindsTheExactImpulseOfACoupledContact) {
  const Coupled contact;
  const Result result = solver_.solver->solve(contact.problem, limits(1e-12));
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_LE((result.r - solve_one_contact<3>(contact.W, contact.q, contact.mu)).norm(), 1e-10);
  EXPECT_GE(result.claimed.at("outer_iterations"), 2);
}

TEST_P(ThroughConvexProblems, KeepsToTheIterationLimit) {
  const ContactProblem problem = test::random_problem(3, 30, 6, 17);
  const Result result = solver_.solver->solve(problem, limits(0, 77));
  EXPECT_EQ(result.status, Status::max_iterations);
  EXPECT_EQ(result.iterations, 77);
}

INSTANTIATE_TEST_SUITE_P(All, ThroughConvexProblems,
                         testing::Values("ncp-tresca", "ncp-staggered", "ccp-desaxce",
                                         "ccp-desaxce(inner=ccp-apgd)",
                                         "ccp-desaxce(inner=ccp-pgs(relaxation=1.1))"),
                         [](const auto& parameter) {
                           std::string text = parameter.param;
                           for (char& c : text)
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           return text;
                         });

// mu = 0: one convex problem, and no friction to stagger with.
TEST(NcpStaggered, WithoutFrictionTheNormalProblemIsAll) {
  const ContactProblem with = test::random_problem(3, 10, 30, 5);
  const ContactProblem without(3, Vector::Zero(10), with.local());
  const Result result = NcpStaggered({}).solve(without, limits(1e-10));
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_LE(judge(without, result.r).lcp.max(), 1e-10);
}

// One Tresca problem from theta = mu r_N: the answer keeps the threshold of the start, not its own.
TEST(NcpTresca, TheThresholdIsThatOfTheProblemBefore) {
  const Coupled contact;
  const NcpTresca solver({.inner = {.reduction = 1e-12, .iterations = 500}});
  const Vector start = vector({1, 0, 0});
  Observer nobody;
  Vector r = start;
  for (int k = 1; k <= 400; ++k) {
    const Result result = solver.solve(contact.problem, limits(0, k), {start}, nobody);
    if (result.claimed.at("outer_iterations") > 1) break;
    r = result.r;
  }
  // slides: ||r_T|| = mu * 1, whatever r_N has become; and r minimises over that cylinder
  EXPECT_NEAR(r.tail(2).norm(), 0.5, 1e-9);
  const Vector u = contact.problem.contact_velocity(r);
  EXPECT_NEAR(u[0], 0, 1e-9);
  EXPECT_NEAR(u.tail(2).dot(r.tail(2)), -0.5 * u.tail(2).norm(), 1e-9);
  EXPECT_GT(std::abs(r[0] - 1), 0.05);
}

TEST(CcpDesaxce, RefusesAnInnerSolverThatIsNone) {
  const auto complaint = [](const std::string& spec) -> std::string {
    try {
      all_solvers().make(spec);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(complaint("ccp-desaxce(inner=ncp-pgs)"), HasSubstr("must be a solver of the CCP: "));
  EXPECT_THAT(complaint("ccp-desaxce(inner=ccp-desaxce)"), HasSubstr("solver of the CCP"));
  EXPECT_THAT(complaint("ccp-desaxce(inner=ccp-pgz)"), HasSubstr("did you mean ccp-pgs"));
  EXPECT_THAT(complaint("ccp-desaxce(inner=ccp-admm(tau=-1))"), HasSubstr("tau"));
}

TEST(CcpDesaxce, CountsTheWorkOfTheInnerSolverAndNamesItInTheId) {
  const ConfiguredSolver solver = all_solvers().make("ccp-desaxce(inner=ccp-pgs(relaxation=1.1))");
  EXPECT_EQ(solver.id, "ccp-desaxce(inner=ccp-pgs(relaxation=1.1))");
  EXPECT_EQ(all_solvers().make(solver.id).settings, solver.settings);
  const Result result = solver.solver->solve(test::random_problem(3, 8, 24, 3, 0.3), limits(1e-9));
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_EQ(result.work.sweeps, result.iterations);
}

// A contact with a zero block: what the inner solver refuses, the cascade refuses.
TEST(CcpDesaxce, TakesWhatItsInnerSolverTakes) {
  Matrix W = Matrix::Identity(6, 6);
  W.diagonal().tail(3).setZero();
  const ContactProblem problem(3, vector({0.5, 0.5}),
                               LocalForm{test::sparse(W), vector({-1, 0, 0, 1, 0, 0})});
  const auto status = [&](const std::string& inner) {
    return CcpDesaxce({.inner = inner}).solve(problem, limits(1e-9)).status;
  };
  EXPECT_EQ(status("ccp-admm"), Status::converged);
  EXPECT_EQ(status("ccp-pgs"), Status::refused);
}

}  // namespace
}  // namespace frictionbench::solvers
