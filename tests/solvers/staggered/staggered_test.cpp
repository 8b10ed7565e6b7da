#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "frictionbench/criteria/verdict.hpp"
#include "frictionbench/math/one_contact.hpp"
#include "frictionbench/solvers/register_all.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench::solvers {
namespace {

using test::limits;
using test::solve;
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
  EXPECT_GE(result.reported.at("outer_iterations"), 2);
}

TEST_P(ThroughConvexProblems, KeepsToTheIterationLimit) {
  const ContactProblem problem = test::random_problem(3, 30, 6, 17);
  const Result result = solver_.solver->solve(problem, limits(0, 77));
  EXPECT_EQ(result.status, Status::max_iterations);
  EXPECT_EQ(result.iterations, 77);
}

TEST_P(ThroughConvexProblems, TakesNoIterationBeyondTheLimit) {
  const ContactProblem problem = test::random_problem(3, 4, 6, 18);
  const int needed = solver_.solver->solve(problem, limits(1e-10)).iterations;
  for (int most = 1; most < needed; most = most * 5 / 4 + 1) {
    const Result result = solver_.solver->solve(problem, limits(1e-10, most));
    EXPECT_LE(result.iterations, most);
    if (result.status != Status::converged) {  // which a shorter last problem may help to
      EXPECT_EQ(result.status, Status::max_iterations) << most;
      EXPECT_EQ(result.iterations, most);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ThroughConvexProblems,
                         testing::Values("ncp-tresca", "ncp-staggered", "ncp-staggered(inner=admm)",
                                         "ncp-desaxce", "ncp-desaxce(inner=ccp-apgd)",
                                         "ncp-desaxce(inner=ccp-pgs(relaxation=1.1))"),
                         [](const auto& parameter) {
                           std::string text = parameter.param;
                           for (char& c : text)
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           return text;
                         });

// The answer of the LCP is unique here, and another method finds it, too.
TEST(LcpStaggered, FindsTheAnswerOfGaussSeidelOnThePyramid) {
  const ContactProblem problem = test::random_problem(3, 6, 40, 8, 0.1);
  for (const int facets : {4, 5, 8}) {
    const auto with_facets = [&](const std::string& name, const std::string& more = {}) {
      return fmt::format("{}(facets={}{})", name, facets, more);
    };
    const Result expected = solve(with_facets("lcp-pgs"), problem, limits(1e-12, 100000));
    ASSERT_EQ(expected.status, Status::converged);
    for (const std::string& solver :
         {with_facets("lcp-staggered"), with_facets("lcp-staggered", ",inner=admm")}) {
      const Result result = solve(solver, problem, limits(1e-10));
      EXPECT_EQ(result.status, Status::converged) << solver << ": " << result.message;
      const auto residuals = cone_residuals(ContactModel::lcp, problem, result.r,
                                            problem.contact_velocity(result.r), {}, facets);
      EXPECT_LE(residuals.max(), 1e-10) << solver;
      EXPECT_LE((result.r - expected.r).norm(), 1e-8 * expected.r.norm()) << solver;
    }
  }
}

// [LeLidec24] Alg. 7 needs about five pairs of problems where each is solved to the end.
TEST(NcpStaggered, ByAdmmSolvesEachProblemToTheEnd) {
  const ContactProblem problem = test::random_problem(3, 10, 60, 5, 0.1);
  const Result inexact = solve("ncp-staggered", problem, limits(1e-8));
  const Result exact = solve("ncp-staggered(inner=admm)", problem, limits(1e-8));
  ASSERT_EQ(inexact.status, Status::converged);
  ASSERT_EQ(exact.status, Status::converged) << exact.message;
  EXPECT_LT(exact.reported.at("outer_iterations"), inexact.reported.at("outer_iterations"));
  EXPECT_EQ(inexact.work.triangular_solves, 0);
  EXPECT_EQ(exact.work.triangular_solves, exact.iterations);
  EXPECT_GE(exact.work.factorizations.cholesky, 2);
}

// mu = 0: one convex problem, and no friction to stagger with.
TEST(NcpStaggered, WithoutFrictionTheNormalProblemIsAll) {
  const ContactProblem with = test::random_problem(3, 10, 30, 5);
  const ContactProblem without(3, Vector::Zero(10), test::local_form(with));
  const Result result = solve("ncp-staggered", without, limits(1e-10));
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_LE(judge(without, result.r).lcp.max(), 1e-10);
}

// One Tresca problem from theta = mu r_N: the answer keeps the threshold of the start, not its own.
TEST(NcpTresca, TheThresholdIsThatOfTheProblemBefore) {
  const Coupled contact;
  const std::string solver = "ncp-tresca(reduction=1e-12,inner_iterations=500)";
  const Vector start = vector({1, 0, 0});
  Vector r = start;
  for (int k = 1; k <= 400; ++k) {
    const Result result = solve(solver, contact.problem, limits(0, k), start);
    if (result.reported.at("outer_iterations") > 1) break;
    r = result.r;
  }
  // slides: ||r_T|| = mu * 1, whatever r_N has become; and r minimises over that cylinder
  EXPECT_NEAR(r.tail(2).norm(), 0.5, 1e-9);
  const Vector u = contact.problem.contact_velocity(r);
  EXPECT_NEAR(u[0], 0, 1e-9);
  EXPECT_NEAR(u.tail(2).dot(r.tail(2)), -0.5 * u.tail(2).norm(), 1e-9);
  EXPECT_GT(std::abs(r[0] - 1), 0.05);
}

TEST(NcpDesaxce, RefusesAnInnerSolverThatIsNone) {
  const auto complaint = [](const std::string& spec) -> std::string {
    try {
      all_solvers().make(spec);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(complaint("ncp-desaxce(inner=ncp-pgs)"), HasSubstr("must be a solver of the ccp: "));
  EXPECT_THAT(complaint("ncp-desaxce(inner=ccp-desaxce)"), HasSubstr("solver of the ccp"));
  EXPECT_THAT(complaint("ncp-desaxce(inner=ccp-pgz)"), HasSubstr("did you mean ccp-pgs"));
  EXPECT_THAT(complaint("ncp-desaxce(inner=ccp-admm(tau=-1))"), HasSubstr("tau"));
}

TEST(ThroughConvexProblems, LooksAtTheClockWithinAProblem) {
  const ContactProblem problem = test::random_problem(3, 30, 6, 17);
  Limits limits = test::limits(0, 1000000000);
  for (const char* spec :
       {"ncp-tresca(reduction=1e-300,inner_iterations=1000000000)",
        "ncp-staggered(reduction=1e-300,inner_iterations=1000000000)",
        "ncp-newton(start_sweeps=1000000000)", "ncp-admm(start_sweeps=1000000000)"}) {
    limits.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
    EXPECT_EQ(solve(spec, problem, limits).status, Status::time_limit) << spec;
  }
}

TEST(NcpDesaxce, RefusesWhatItsInnerSolverRefuses) {
  const Coupled contact;  // in local form
  const Result result = solve("ncp-desaxce(inner=ccp-pgs(form=global))", contact.problem);
  EXPECT_EQ(result.status, Status::refused);
  EXPECT_THAT(result.message, HasSubstr("ccp-pgs: "));
}

TEST(NcpDesaxce, IsFoundByItsFormerName) {
  EXPECT_EQ(all_solvers().make("ccp-desaxce(inner=ccp-pgs)").id, "ncp-desaxce(inner=ccp-pgs)");
  EXPECT_EQ(all_solvers().find("ccp-desaxce").info.model, ContactModel::ncp);
}

TEST(NcpDesaxce, CountsTheWorkOfTheInnerSolverAndNamesItInTheId) {
  const ConfiguredSolver solver = all_solvers().make("ncp-desaxce(inner=ccp-pgs(relaxation=1.1))");
  EXPECT_EQ(solver.id, "ncp-desaxce(inner=ccp-pgs(relaxation=1.1))");
  EXPECT_EQ(all_solvers().make(solver.id).settings, solver.settings);
  const Result result = solver.solver->solve(test::random_problem(3, 8, 24, 3, 0.3), limits(1e-9));
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_EQ(result.work.sweeps, result.iterations);
}

// A contact with a zero block: what the inner solver refuses, the cascade refuses.
TEST(NcpDesaxce, TakesWhatItsInnerSolverTakes) {
  Matrix W = Matrix::Identity(6, 6);
  W.diagonal().tail(3).setZero();
  const ContactProblem problem(3, vector({0.5, 0.5}),
                               LocalForm{test::sparse(W), vector({-1, 0, 0, 1, 0, 0})});
  const auto status = [&](const std::string& inner) {
    return solve("ncp-desaxce(inner=" + inner + ")", problem, limits(1e-9)).status;
  };
  EXPECT_EQ(status("ccp-admm"), Status::converged);
  EXPECT_EQ(status("ccp-pgs"), Status::refused);
}

}  // namespace
}  // namespace frictionbench::solvers
