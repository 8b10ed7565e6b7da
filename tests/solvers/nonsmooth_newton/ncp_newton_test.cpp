#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>

#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/problem/facts.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/real_files.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench::solvers {
namespace {

using test::limits;
using test::solve;
using test::vector;

// Contacts with more unknowns than W has rank, one of them without friction.
ContactProblem hyperstatic(int dimension = 3) {
  const ContactProblem problem = test::random_problem(dimension, 30, 20, 17);
  Vector mu = problem.mu();
  mu[4] = 0;
  return ContactProblem(dimension, mu, test::local_form(problem));
}

// Contacts with W of full rank, pushed together: most stick, the others slide.
ContactProblem regular() {
  const ContactProblem random = test::random_problem(3, 12, 60, 5, 1);
  Vector q = random.local().q;
  for (Index i = 0; i < random.contacts(); ++i) q[3 * i] -= 3;
  return ContactProblem(3, random.mu(), LocalForm{random.local().W, q});
}

constexpr std::array functions{"alart_curnier", "natural_map", "fischer_burmeister"};

class NonsmoothNewtonMethods : public testing::TestWithParam<std::string> {
 protected:
  static Result solve(const ContactProblem& problem, const Limits& limits) {
    return test::solve(GetParam(), problem, limits);
  }
};
INSTANTIATE_TEST_SUITE_P(Solvers, NonsmoothNewtonMethods, testing::Values("ncp-newton", "ncp-prox"),
                         test::solver_test_name);

TEST_P(NonsmoothNewtonMethods, EveryFunctionSolvesHyperstaticContacts) {
  for (const int dimension : {2, 3}) {
    const ContactProblem problem = hyperstatic(dimension);
    for (const char* function : functions) {
      SCOPED_TRACE(testing::Message() << dimension << "D, " << function);
      const std::string solver = fmt::format("{}(function={})", GetParam(), function);
      const Result result = test::solve(solver, problem, limits(1e-10));
      EXPECT_EQ(result.status, Status::converged) << result.message;
      EXPECT_LE(judge(problem, result.r).ncp.max(), 1e-10);
      EXPECT_LE(result.iterations, 100);
    }
  }
}

// A block of 4 contacts pressed on the ground sticks in all of them: W has rank 6 of 12, and the
// Newton matrix without damping is singular, for A = rho I and B = 0.
TEST_P(NonsmoothNewtonMethods, SolvesWhereEverythingSticks) {
  Matrix H = Matrix::Zero(6, 12);
  for (int i = 0; i < 4; ++i) {
    const Eigen::Vector3d arm(i % 2 == 0 ? 1 : -1, i < 2 ? 1 : -1, -0.5);
    for (int a = 0; a < 3; ++a) {
      const Eigen::Vector3d axis = Eigen::Vector3d::Unit((a + 2) % 3);  // N is along z
      H.block<3, 1>(0, 3 * i + a) = axis;
      H.block<3, 1>(3, 3 * i + a) = arm.cross(axis);
    }
  }
  const Vector v = (Vector(6) << 0.1, 0.05, -1, 0.01, 0, 0.02).finished();
  const ContactProblem problem(
      3, Vector::Constant(4, 0.8),
      LocalForm{test::sparse(H.transpose() * H), Vector(H.transpose() * v)});
  for (const char* function : functions) {
    SCOPED_TRACE(function);
    const std::string solver = fmt::format("{}(function={},start_sweeps=0)", GetParam(), function);
    const Result result = test::solve(solver, problem, limits(1e-12));
    EXPECT_EQ(result.status, Status::converged) << result.message;
    EXPECT_LE(problem.contact_velocity(result.r).norm(), 1e-11);
    EXPECT_GE(result.work.factorizations.all(), 1);
  }
}

TEST_P(NonsmoothNewtonMethods, AnswersAreInTheConeExactly) {
  const ContactProblem problem = hyperstatic();
  for (const int iterations : {1, 2, 5}) {
    const Result result = solve(problem, limits(0, iterations));
    EXPECT_EQ(result.iterations, iterations);
    EXPECT_LE(judge(problem, result.r).ncp.primal, 1e-14) << iterations;
    EXPECT_EQ(result.r[13], 0);
    EXPECT_EQ(result.r[14], 0);
  }
}

// Beyond double precision no step is left: it must end, and with the best that it has found.
TEST_P(NonsmoothNewtonMethods, EndsWhereRoundingStopsIt) {
  const ContactProblem problem = hyperstatic();
  const Result result = solve(problem, limits(0));
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_EQ(result.stop_reason, StopReason::no_progress);
  EXPECT_EQ(result.message, "no progress in 200 iterations");
  EXPECT_LE(judge(problem, result.r).ncp.max(), 1e-11);
}

TEST_P(NonsmoothNewtonMethods, StartsFromTheGivenImpulse) {
  const ContactProblem problem = hyperstatic();
  const Result cold = solve(problem, limits(1e-8));
  const Result warm = test::solve(GetParam(), problem, limits(1e-7), cold.r);
  EXPECT_EQ(warm.status, Status::converged);
  EXPECT_EQ(warm.work.factorizations.all(), 0);
}

// Their W is not symmetric, by 1e-4 to 1e-3.
TEST_P(NonsmoothNewtonMethods, SolvesRealAsymmetricProblems) {
  SKIP_WITHOUT_REAL_FILES("fclib/local/OneObject");
  for (const auto& file : test::real_files("fclib/local/OneObject")) {
    const ContactProblem problem = fclib::read_problem(file).problem;
    ASSERT_GT(relative_asymmetry(problem.local().W), 1e-5);
    const Result result = solve(problem, limits(1e-8));
    EXPECT_EQ(result.status, Status::converged) << file << ": " << result.message;
    EXPECT_LE(judge(problem, result.r).ncp.max(), 1e-8);
  }
}

// Near a solution the residual falls faster than by any factor: with the square of the last one
// where F is smooth.
TEST(NcpNewton, ConvergesQuadraticallyNearASolution) {
  const ContactProblem problem = regular();
  for (const char* function : functions) {
    SCOPED_TRACE(function);
    const std::string solver = fmt::format("ncp-newton(function={},start_sweeps=0)", function);
    const Result exact = solve(solver, problem, limits(1e-13));
    ASSERT_EQ(exact.status, Status::converged) << exact.message;

    struct History final : Observer {
      void iterated(const Iterate& iterate) override { errors.push_back(iterate.residuals.max()); }
      std::vector<double> errors;
    } history;
    Vector start = exact.r;
    for (Index k = 0; k < start.size(); ++k)
      start[k] *= 1 + 1e-3 * std::sin(static_cast<double>(7 * k));
    const Result result = solve(solver, problem, limits(1e-12), start, history);
    EXPECT_EQ(result.status, Status::converged) << result.message;
    EXPECT_GT(history.errors.front(), 1e-5);
    EXPECT_LE(result.iterations, 6);
    for (std::size_t k = 1; k < history.errors.size(); ++k) {
      const double before = history.errors[k - 1];
      EXPECT_LE(history.errors[k], 100 * before * before + 1e-12) << k;
    }
  }
}

TEST(NcpNewton, SolvesInTheUnitsOfTheFileToo) {
  const ContactProblem problem = hyperstatic();
  const Result result = solve("ncp-newton(scaling=none)", problem, limits(1e-9));
  EXPECT_EQ(result.status, Status::converged) << result.message;
}

// Where no step is ever accepted, every iteration is a rescue, after as many matrices as allowed.
TEST(NcpNewton, SweepsWhereNoStepIsFound) {
  const Result result = solve(
      "ncp-newton(start_sweeps=0,rescue_sweeps=3,halvings=0,memory=1,"
      "decrease=0.999999,damping=100)",  // too short a step for so much decrease
      regular(), limits(0, 5));
  EXPECT_EQ(result.reported.at("rescues"), 4);
  EXPECT_EQ(result.work.sweeps, 12);
  EXPECT_EQ(result.work.factorizations.all(), 16);
}

TEST(NcpProx, CountsNewtonIterationsAndProximalSteps) {
  struct Rows final : Observer {
    void iterated(const Iterate& iterate) override {
      EXPECT_EQ(iterate.iteration, ++count);
      EXPECT_GT(iterate.penalty, 0) << "alpha";
      if (iterate.penalty != alpha) ++steps;
      alpha = iterate.penalty;
    }
    int count = 0, steps = 0;
    double alpha = 0;
  } rows;
  const Result result = solve("ncp-prox", hyperstatic(), limits(1e-10), {}, rows);
  ASSERT_EQ(result.status, Status::converged);
  EXPECT_EQ(result.iterations, rows.count);
  EXPECT_EQ(result.reported.at("outer_iterations"), rows.steps);
}

}  // namespace
}  // namespace frictionbench::solvers
