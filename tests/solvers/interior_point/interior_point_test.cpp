#include "frictionbench/solvers/interior_point/interior_point.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/problem/facts.hpp"
#include "frictionbench/solvers/interior_point/newton_system.hpp"
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
ContactProblem hyperstatic() {
  const ContactProblem problem = test::random_problem(3, 30, 20, 17);
  Vector mu = problem.mu();
  mu[4] = 0;
  return ContactProblem(3, mu, test::local_form(problem));
}

// Contacts that slide, at a tau where D = N^-2 has a condition number of 1e20 and more.
class NearTheBoundary : public testing::Test {
 protected:
  using System = NewtonSystem<3>;

  NearTheBoundary() {
    Matrix W = test::random_problem(3, 6, 18, 3, 0.2).local().W;
    W(0, 7) += 0.01;  // not symmetric
    problem_.emplace(3, vector({0.5, 0, 0.3, 1, 0.2, 0.8}),
                     LocalForm{test::sparse(W), Vector::Zero(18)});
    Vector y(18);
    for (Index i = 0; i < 6; ++i) y.segment(3 * i, 3) << 0.1, 1, 0.5 * static_cast<double>(i);
    y.segment(3, 3) << 0.1, 0, 0;  // no friction
    path_.enter(y, tau);
    D_.emplace(path_.scale());
    for (Index i = 0; i < 6; ++i) J_.block(i) = slip_jacobian<3>(path_.z().segment<3>(3 * i));
  }

  // How much of the two equations a direction misses: the first by its sizes, the second by the
  // metric of N.
  struct Errors {
    double first, second;
  };
  Errors errors(System::Kind kind, int refinements) {
    const SolverInfo info;
    Observer silent;
    const Limits limits;
    Solve stub(info, *problem_, limits, {}, silent);
    System system(kind, stub, refinements);
    const Vector& E = system.cone_factors();
    EXPECT_EQ(E.segment(3, 3), vector({1, 0, 0})) << "without friction only r_N is left";
    BlockDiagonal J = J_;
    if (kind == System::Kind::symmetric)
      for (Index i = 0; i < 6; ++i) J.block(i).setIdentity();
    EXPECT_TRUE(system.factorize(J, *D_, shift));
    const Vector F = 1e-9 * Vector::LinSpaced(18, -1, 1);
    const Vector p = path_.target(0.1 * tau);
    const auto [dx, dz] = system.direction(path_, F, p);
    EXPECT_LE(stub.work().products, refinements + 1);
    const Vector first =
        E.cwiseProduct(problem_->local().W * E.cwiseProduct(dx)) + shift * dx - J.times(dz) + F;
    return {.first = first.norm() / (dx.norm() + dz.norm()),
            .second = path_.widest(p - path_.times_scale(dx) - dz) / path_.scaled(dx, dz).norm()};
  }

  static constexpr double tau = 1e-12, shift = 1e-6;
  std::optional<ContactProblem> problem_;
  CentralPath<3> path_{6};
  std::optional<BlockDiagonal> D_;
  BlockDiagonal J_{3, 6};
};

TEST_F(NearTheBoundary, DirectionsMeetBothEquations) {
  for (const auto kind : {System::Kind::symmetric, System::Kind::unsymmetric}) {
    const Errors found = errors(kind, 5);
    EXPECT_LE(found.first, 1e-14);
    EXPECT_LE(found.second, 1e-3);
  }
}

TEST_F(NearTheBoundary, RefinementMakesUpForAnAsymmetricW) {
  EXPECT_GT(errors(System::Kind::symmetric, 0).second, 1e-3) << "the symmetric part alone";
  EXPECT_LE(errors(System::Kind::symmetric, 1).second,
            errors(System::Kind::symmetric, 0).second / 10);
  EXPECT_LE(errors(System::Kind::symmetric, 0).first, 1e-14) << "which is met with W itself";
}

class InteriorPoint : public testing::TestWithParam<std::string> {
 protected:
  static Result solve(const ContactProblem& problem, const Limits& limits,
                      const Vector& start = {}) {
    return test::solve(GetParam(), problem, limits, start);
  }
  static ContactModel model() { return test::solver(GetParam())->info().model; }
};
INSTANTIATE_TEST_SUITE_P(Solvers, InteriorPoint, testing::Values("ccp-ipm", "ncp-ipm"),
                         test::solver_test_name);

TEST_P(InteriorPoint, TakesFewIterationsWhateverTheTolerance) {
  const ContactProblem problem = hyperstatic();
  const Result coarse = solve(problem, limits(1e-4));
  const Result fine = solve(problem, limits(1e-10));
  ASSERT_EQ(coarse.status, Status::converged);
  ASSERT_EQ(fine.status, Status::converged) << fine.message;
  EXPECT_LE(fine.iterations, 25);
  EXPECT_LE(fine.iterations, coarse.iterations + 10);
  EXPECT_LE(judge(problem, fine.r).residuals(model()).max(), 1e-10);
  EXPECT_LE(fine.reported.at("gap"), coarse.reported.at("gap"));
}

// An answer may meet loose tolerances long before its cost has its digits.
TEST_P(InteriorPoint, GoesOnForTheGap) {
  const auto solve_to = [](const std::string& gap) {
    const Result result = test::solve(GetParam() + "(gap=" + gap + ")", hyperstatic(), limits(1));
    EXPECT_EQ(result.status, Status::converged);
    return result;
  };
  const Result any = solve_to("1e9"), precise = solve_to("1e-9");
  EXPECT_GT(precise.iterations, any.iterations);
  EXPECT_LE(precise.iterations, any.iterations + 5);
  EXPECT_LE(precise.reported.at("gap"), 1e-3 * any.reported.at("gap"));
}

TEST_P(InteriorPoint, FactorsOnceAnIteration) {
  const Result result = solve(hyperstatic(), limits(0, 7));
  EXPECT_EQ(result.status, Status::max_iterations);
  EXPECT_EQ(result.work.factorizations.all(), 7);
  EXPECT_GE(result.work.triangular_solves, 14);
  EXPECT_LE(result.work.triangular_solves, 28);
  EXPECT_LE(result.work.products, 7 * 4);  // residuals, two refinements, the step of z
}

TEST_P(InteriorPoint, AnswersAreInTheConeExactly) {
  const ContactProblem problem = hyperstatic();
  for (const int iterations : {1, 3, 6, 9}) {
    const Result result = solve(problem, limits(0, iterations));
    EXPECT_LE(judge(problem, result.r).ccp.primal, 1e-16) << iterations;
    EXPECT_EQ(result.r[13], 0);
    EXPECT_EQ(result.r[14], 0);
  }
}

TEST_P(InteriorPoint, AnswersEndAtTheBoundary) {
  const auto impulse = [](const Vector& q) {
    return solve(test::one_contact(vector({2, 2, 2}), q, 0.5), limits(1e-4)).r;
  };
  EXPECT_EQ(impulse(vector({1, 0.3, 0})), vector({0, 0, 0})) << "take-off";
  const Vector slides = impulse(vector({-1, 10, 0}));
  EXPECT_NEAR(slides.tail(2).norm(), 0.5 * slides[0], 1e-15);
}

TEST_P(InteriorPoint, DoesNotUseAStart) {
  const ContactProblem problem = hyperstatic();
  const Result cold = solve(problem, limits(1e-8));
  EXPECT_EQ(solve(problem, limits(1e-8), Vector::Ones(problem.unknowns())).r, cold.r);
}

// Beyond double precision no step is left: it must end, and with the best that it has found.
TEST_P(InteriorPoint, EndsWhereRoundingStopsIt) {
  const ContactProblem problem = hyperstatic();
  const Result result = solve(problem, limits(0));
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_NE(result.message.find("boundary"), std::string::npos);
  EXPECT_LT(result.iterations, 1000);
  EXPECT_TRUE(result.r.allFinite());
  EXPECT_LE(judge(problem, result.r).residuals(model()).max(), 1e-10);
}

// Their W is not symmetric, by 1e-4 to 1e-3.
TEST_P(InteriorPoint, SolvesRealAsymmetricProblems) {
  SKIP_WITHOUT_REAL_FILES("fclib/local/OneObject");
  for (const auto& file : test::real_files("fclib/local/OneObject")) {
    const ContactProblem problem = fclib::read_problem(file).problem;
    ASSERT_GT(relative_asymmetry(problem.local().W), 1e-5);
    const Result result = solve(problem, limits(1e-8));
    EXPECT_EQ(result.status, Status::converged) << file << ": " << result.message;
    EXPECT_LE(judge(problem, result.r).residuals(model()).max(), 1e-8);
    EXPECT_LE(result.iterations, 60);
  }
}

// The NCP and the CCP differ where a contact slides, and nowhere else.
TEST(InteriorPointModels, AgreeWhereNothingSlides) {
  const ContactProblem sticking = test::one_contact(vector({2, 2, 2}), vector({-1, 0.1, 0}), 0.5);
  const ContactProblem sliding = test::one_contact(vector({2, 2, 2}), vector({-1, 10, 0}), 0.5);
  const auto impulse = [](const std::string& solver, const ContactProblem& problem) {
    return solve(solver, problem, limits(1e-10)).r;
  };
  EXPECT_LE((impulse("ccp-ipm", sticking) - impulse("ncp-ipm", sticking)).norm(), 1e-8);
  EXPECT_GT((impulse("ccp-ipm", sliding) - impulse("ncp-ipm", sliding)).norm(), 0.1);
}

}  // namespace
}  // namespace frictionbench::solvers
