#include "frictionbench/solvers/nonsmooth_newton/ncp_newton.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>

#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/problem/facts.hpp"
#include "frictionbench/solvers/nonsmooth_newton/ncp_prox.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/real_files.hpp"

namespace frictionbench::solvers {
namespace {

using test::limits;
using test::vector;

// Contacts with more unknowns than W has rank, one of them without friction.
ContactProblem hyperstatic(int dimension = 3) {
  const ContactProblem problem = test::random_problem(dimension, 30, 20, 17);
  Vector mu = problem.mu();
  mu[4] = 0;
  return ContactProblem(dimension, mu, problem.local());
}

// Contacts with W of full rank, pushed together: most stick, the others slide.
ContactProblem regular() {
  const ContactProblem random = test::random_problem(3, 12, 60, 5, 1);
  Vector q = random.local().q;
  for (Index i = 0; i < random.contacts(); ++i) q[3 * i] -= 3;
  return ContactProblem(3, random.mu(), LocalForm{random.local().W, q});
}

template <typename Method>
typename Method::Settings with_function(ContactFunction function);
template <>
NcpNewton::Settings with_function<NcpNewton>(ContactFunction function) {
  NcpNewton::Settings settings;
  settings.function = function;
  return settings;
}
template <>
NcpProx::Settings with_function<NcpProx>(ContactFunction function) {
  NcpProx::Settings settings;
  settings.newton.function = function;
  return settings;
}

constexpr std::array functions{ContactFunction::alart_curnier, ContactFunction::natural_map,
                               ContactFunction::fischer_burmeister};

template <typename Method>
class NonsmoothNewtonMethods : public testing::Test {};
using Methods = testing::Types<NcpNewton, NcpProx>;
TYPED_TEST_SUITE(NonsmoothNewtonMethods, Methods);

TYPED_TEST(NonsmoothNewtonMethods, EveryFunctionSolvesHyperstaticContacts) {
  for (const int dimension : {2, 3}) {
    const ContactProblem problem = hyperstatic(dimension);
    for (const ContactFunction function : functions) {
      SCOPED_TRACE(testing::Message() << dimension << "D, function " << static_cast<int>(function));
      const TypeParam solver(with_function<TypeParam>(function));
      const Result result = solver.solve(problem, limits(1e-10));
      EXPECT_EQ(result.status, Status::converged) << result.message;
      EXPECT_LE(judge(problem, result.r).ncp.max(), 1e-10);
      EXPECT_LE(result.iterations, 100);
    }
  }
}

// A block of 4 contacts pressed on the ground sticks in all of them: W has rank 6 of 12, and the
// Newton matrix without damping is singular, for A = rho I and B = 0.
TYPED_TEST(NonsmoothNewtonMethods, SolvesWhereEverythingSticks) {
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
  for (const ContactFunction function : functions) {
    SCOPED_TRACE(static_cast<int>(function));
    auto settings = with_function<TypeParam>(function);
    if constexpr (std::is_same_v<TypeParam, NcpNewton>)
      settings.start_sweeps = 0;
    else
      settings.newton.start_sweeps = 0;
    const Result result = TypeParam(settings).solve(problem, limits(1e-12));
    EXPECT_EQ(result.status, Status::converged) << result.message;
    EXPECT_LE(problem.contact_velocity(result.r).norm(), 1e-11);
    EXPECT_GE(result.work.factorizations.all(), 1);
  }
}

TYPED_TEST(NonsmoothNewtonMethods, AnswersAreInTheConeExactly) {
  const ContactProblem problem = hyperstatic();
  for (const int iterations : {1, 2, 5}) {
    const Result result = TypeParam({}).solve(problem, limits(0, iterations));
    EXPECT_EQ(result.iterations, iterations);
    EXPECT_LE(judge(problem, result.r).ncp.primal, 1e-14) << iterations;
    EXPECT_EQ(result.r[13], 0);
    EXPECT_EQ(result.r[14], 0);
  }
}

// Beyond double precision no step is left: it must end, and with the best that it has found.
TYPED_TEST(NonsmoothNewtonMethods, EndsWhereRoundingStopsIt) {
  const ContactProblem problem = hyperstatic();
  const Result result = TypeParam({}).solve(problem, limits(0));
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_EQ(result.message, "no progress in 200 iterations");
  EXPECT_LE(judge(problem, result.r).ncp.max(), 1e-11);
}

TYPED_TEST(NonsmoothNewtonMethods, StartsFromTheGuess) {
  const ContactProblem problem = hyperstatic();
  const TypeParam solver({});
  const Result cold = solver.solve(problem, limits(1e-8));
  Observer silent;
  const Result warm = solver.solve(problem, limits(1e-7), {cold.r}, silent);
  EXPECT_EQ(warm.status, Status::converged);
  EXPECT_EQ(warm.work.factorizations.all(), 0);
}

// Their W is not symmetric, by 1e-4 to 1e-3.
TYPED_TEST(NonsmoothNewtonMethods, SolvesRealAsymmetricProblems) {
  SKIP_WITHOUT_REAL_FILES("fclib/local/OneObject");
  for (const auto& file : test::real_files("fclib/local/OneObject")) {
    const ContactProblem problem = fclib::read_problem(file).problem;
    ASSERT_GT(relative_asymmetry(problem.local().W), 1e-5);
    const Result result = TypeParam({}).solve(problem, limits(1e-8));
    EXPECT_EQ(result.status, Status::converged) << file << ": " << result.message;
    EXPECT_LE(judge(problem, result.r).ncp.max(), 1e-8);
  }
}

// Near a solution the residual falls faster than by any factor: with the square of the last one
// where F is smooth.
TEST(NcpNewton, ConvergesQuadraticallyNearASolution) {
  const ContactProblem problem = regular();
  for (const ContactFunction function : functions) {
    SCOPED_TRACE(static_cast<int>(function));
    NcpNewton::Settings settings = with_function<NcpNewton>(function);
    settings.start_sweeps = 0;
    const NcpNewton solver(settings);
    const Result exact = solver.solve(problem, limits(1e-13));
    ASSERT_EQ(exact.status, Status::converged) << exact.message;

    struct History final : Observer {
      void iterated(const Iterate& iterate) override { errors.push_back(iterate.residuals.max()); }
      std::vector<double> errors;
    } history;
    Vector start = exact.r;
    for (Index k = 0; k < start.size(); ++k)
      start[k] *= 1 + 1e-3 * std::sin(static_cast<double>(7 * k));
    const Result result = solver.solve(problem, limits(1e-12), {start}, history);
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
  NcpNewton::Settings settings;
  settings.scaling = Scaling::none;
  const Result result = NcpNewton(settings).solve(problem, limits(1e-9));
  EXPECT_EQ(result.status, Status::converged) << result.message;
}

// Where no step is ever accepted, every iteration is a rescue, after as many matrices as allowed.
TEST(NcpNewton, SweepsWhereNoStepIsFound) {
  NcpNewton::Settings settings;
  settings.start_sweeps = 0;
  settings.rescue_sweeps = 3;
  settings.halvings = 0;
  settings.memory = 1;
  settings.decrease = 0.999999;
  settings.damping = 100;  // too short a step for so much decrease
  const Result result = NcpNewton(settings).solve(regular(), limits(0, 5));
  EXPECT_EQ(result.claimed.at("rescues"), 4);
  EXPECT_EQ(result.work.sweeps, 12);
  EXPECT_EQ(result.work.factorizations.all(), 16);
}

TEST(NcpProx, CountsNewtonIterationsAndProximalSteps) {
  struct Rows final : Observer {
    void iterated(const Iterate& iterate) override {
      last = iterate.iteration;
      ++count;
      EXPECT_GT(iterate.penalty, 0) << "alpha";
    }
    int count = 0, last = 0;
  } rows;
  const Result result = NcpProx({}).solve(hyperstatic(), limits(1e-10), {}, rows);
  ASSERT_EQ(result.status, Status::converged);
  EXPECT_EQ(result.claimed.at("outer_iterations"), rows.count);
  EXPECT_EQ(result.iterations, rows.last);
  EXPECT_GE(result.iterations, rows.count);
}

}  // namespace
}  // namespace frictionbench::solvers
