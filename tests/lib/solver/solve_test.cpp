#include "frictionbench/solver/solve.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

#include "frictionbench/math/friction_cone.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/solve_fixture.hpp"

namespace frictionbench {
namespace {

using test::limits;
using test::SolveTest;
using test::vector;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST_F(SolveTest, CountsIterationsUpToTheLimit) {
  Solve solve = begin(limits(1e-9, 3));
  EXPECT_EQ(solve.iteration(), 0);
  EXPECT_EQ(solve.most_iterations(), 3);
  int taken = 0;
  while (solve.begin_iteration()) {
    EXPECT_EQ(solve.iteration(), ++taken);
    EXPECT_EQ(solve.is_last_iteration(), taken == 3);
    EXPECT_FALSE(ends(solve, normals(0.5)));
  }
  EXPECT_FALSE(solve.begin_iteration()) << "asked again";
  const Result result = solve.finish();
  EXPECT_EQ(result.iterations, 3);
  EXPECT_EQ(result.status, Status::max_iterations);
  EXPECT_EQ(result.stop_reason, StopReason::iteration_limit);
  EXPECT_EQ(history_.setups, 1);
  EXPECT_THAT(history_.iterations, ElementsAre(1, 2, 3));
}

TEST_F(SolveTest, CountsTheIterationsOfAnInnerMethod) {
  Solve solve = begin(limits(1e-9, 10));
  ASSERT_TRUE(solve.begin_iteration());
  solve.add_iterations(5);
  EXPECT_FALSE(ends(solve, normals(0.5)));
  EXPECT_THAT(history_.iterations, ElementsAre(6));
  ASSERT_TRUE(solve.begin_iteration());
  solve.add_iterations(50);
  EXPECT_FALSE(solve.begin_iteration());
  EXPECT_EQ(solve.finish().iterations, 10) << "the limit is the limit of all";
}

TEST_F(SolveTest, AnswersWithTheIterateThatPasses) {
  Solve solve = begin(limits(1e-3));
  iterate(solve, {normals(0.5), normals(0.9999), normals(1)});
  const Result result = solve.finish();
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_EQ(result.stop_reason, StopReason::residuals);
  EXPECT_EQ(result.iterations, 2);
  EXPECT_EQ(result.r, normals(0.9999));
  EXPECT_NEAR(result.reported.at("dual"), 1e-4, 1e-12);
  EXPECT_EQ(result.message, "");
}

TEST_F(SolveTest, AnswersWithTheBestIterateWhereNonePasses) {
  Solve solve = begin(limits(1e-9, 4));
  iterate(solve, {normals(0.2), normals(0.9), normals(0.7), normals(0.1)});
  ASSERT_FALSE(solve.begin_iteration());
  const Result result = solve.finish();
  EXPECT_EQ(result.status, Status::max_iterations);
  EXPECT_EQ(result.r, normals(0.9));
  EXPECT_NEAR(result.reported.at("dual"), 0.1, 1e-15) << "of the answer, not of the last iterate";
}

// What is best depends on what the residuals are compared with.
TEST_F(SolveTest, RanksIteratesByTheirResidualInUnitsOfTheTolerance) {
  const Vector short_of_both = normals(0.9), short_of_one = normals(1, 0.8);
  for (const double unit : {1.0, 0.1}) {
    Limits bounds = limits(1e-9, 2);
    bounds.units = {Vector::Ones(2), vector({1, unit})};  // velocities of contact 1 matter less
    Solve solve = begin(bounds);
    iterate(solve, {short_of_both, short_of_one});
    EXPECT_NEAR(solve.residuals().dual, 0.2 * unit, 1e-15);
    EXPECT_EQ(solve.finish().r, unit == 1 ? short_of_both : short_of_one);
    history_ = {};
  }
}

TEST_F(SolveTest, ComparesWithTheToleranceInTheGivenUnits) {
  Limits bounds = limits(1e-3);
  bounds.units = {Vector::Constant(2, 1e-2), Vector::Constant(2, 1e-2)};
  Solve solve = begin(bounds);
  iterate(solve, {normals(0.8), normals(0.95)});
  const Result result = solve.finish();
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_EQ(result.r, normals(0.95)) << "off by 0.05 in the units of the file";
  EXPECT_NEAR(result.reported.at("dual"), 5e-4, 1e-15);
}

TEST_F(SolveTest, AnIterateThatIsNotFiniteHasDivergedAndIsNeverTheAnswer) {
  for (const double lost : {nan, infinity, -infinity}) {
    Solve solve = begin(limits(1e-9));
    iterate(solve, {normals(0.5), normals(lost, 1), normals(1)});
    const Result result = solve.finish();
    EXPECT_EQ(result.status, Status::diverged);
    EXPECT_EQ(result.stop_reason, StopReason::not_finite);
    EXPECT_THAT(result.message, HasSubstr("infinite or NaN"));
    EXPECT_EQ(result.iterations, 2);
    EXPECT_EQ(result.r, normals(0.5));
    history_ = {};
  }
}

TEST_F(SolveTest, WithoutAFiniteIterateTheAnswerIsTheStart) {
  Solve solve = begin(limits(1e-9), normals(0.25));
  iterate(solve, {normals(nan)});
  EXPECT_EQ(solve.finish().r, normals(0.25));
}

TEST_F(SolveTest, EndsWhenTimeIsUpUnlessTheIteratePasses) {
  Limits late = limits(1e-9);
  late.deadline = std::chrono::steady_clock::now();
  Solve solve = begin(late);
  EXPECT_TRUE(solve.time_is_up());
  iterate(solve, {normals(0.5), normals(1)});
  const Result result = solve.finish();
  EXPECT_EQ(result.status, Status::time_limit);
  EXPECT_EQ(result.stop_reason, StopReason::time_limit);
  EXPECT_EQ(result.iterations, 1);

  history_ = {};
  Solve solved = begin(late);
  iterate(solved, {normals(1)});
  EXPECT_EQ(solved.finish().status, Status::converged);
}

TEST_F(SolveTest, IsDueEverySoOftenAndAtTheEnd) {
  Solve solve = begin(limits(1e-9, 8));
  std::vector<int> due;
  while (solve.begin_iteration())
    if (solve.is_due(3)) due.push_back(solve.iteration());
  EXPECT_THAT(due, ElementsAre(3, 6, 8));

  Limits late = limits(1e-9);
  late.deadline = std::chrono::steady_clock::now();
  Solve out_of_time = begin(late);
  ASSERT_TRUE(out_of_time.begin_iteration());
  EXPECT_TRUE(out_of_time.is_due(1000));
}

TEST_F(SolveTest, StallsWithoutProgressOfOnePerCent) {
  Solve solve = begin(limits(1e-9));
  solve.stall_after(3);
  // progress, none, hardly any, progress again, then nothing for three iterations
  iterate(solve, {normals(0.5), normals(0.4), normals(0.501), normals(0.6), normals(0.6),
                  normals(0.603), normals(0.5), normals(1)});
  const Result result = solve.finish();
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_EQ(result.stop_reason, StopReason::no_progress);
  EXPECT_EQ(result.message, "no progress in 3 iterations");
  EXPECT_EQ(result.iterations, 7);
  EXPECT_EQ(result.r, normals(0.603)) << "the best all the same";
}

TEST_F(SolveTest, SlowButSteadyProgressIsProgress) {
  Solve solve = begin(limits(1e-9, 100));
  solve.stall_after(4);
  double error = 0.5;
  while (solve.begin_iteration() && !ends(solve, normals(1 - error))) error *= 0.996;
  EXPECT_EQ(solve.finish().status, Status::max_iterations) << "1.2 % in 3 iterations";
}

TEST_F(SolveTest, GivesUpWhenTheMethodSaysSo) {
  Solve solve = begin(limits(1e-9));
  std::vector<int> asked;
  solve.give_up_when([&](int iteration, const ConeResiduals& residuals) {
    asked.push_back(iteration);
    EXPECT_GT(residuals.dual, 0);
    return iteration == 2;
  });
  iterate(solve, {normals(0.5), normals(0.6), normals(1)});
  EXPECT_THAT(asked, ElementsAre(1, 2));
  const Result result = solve.finish();
  EXPECT_EQ(result.status, Status::max_iterations);
  EXPECT_EQ(result.stop_reason, StopReason::forecast);
  EXPECT_EQ(result.iterations, 2);

  history_ = {};
  Solve solved = begin(limits(1e-9));
  solved.give_up_when([](int, const ConeResiduals&) { return true; });
  iterate(solved, {normals(1)});
  EXPECT_EQ(solved.finish().status, Status::converged) << "what passes is not given up";
}

TEST_F(SolveTest, ShowsIteratesWithTheirPenalty) {
  Solve solve = begin(limits(1e-9));
  ASSERT_TRUE(solve.begin_iteration());
  solve.ends(normals(0.5), velocity(normals(0.5)), 7);
  EXPECT_EQ(history_.last.penalty, 7);
  EXPECT_NEAR(history_.last.residuals.dual, 0.5, 1e-15);
  ASSERT_TRUE(solve.begin_iteration());
  ends(solve, normals(0.5));
  EXPECT_TRUE(std::isnan(history_.last.penalty)) << "a method that has none";
}

TEST_F(SolveTest, JudgesFirstAndEndsLater) {
  Solve solve = begin(limits(1e-9));
  ASSERT_TRUE(solve.begin_iteration());
  EXPECT_TRUE(solve.is_within_tolerance(solve.judge(normals(1), velocity(normals(1)))));
  ASSERT_TRUE(solve.begin_iteration()) << "judging alone ends nothing";
  EXPECT_FALSE(solve.is_within_tolerance(solve.judge(normals(0.5), velocity(normals(0.5)))));
  EXPECT_FALSE(solve.ends());
  solve.converge(normals(1), {});
  EXPECT_FALSE(solve.begin_iteration());
  const Result result = solve.finish();
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_EQ(result.r, normals(1));
}

TEST_F(SolveTest, MeasuresWithoutShowing) {
  Solve solve = begin(limits(1e-9));
  EXPECT_NEAR(solve.residuals(normals(0.5), velocity(normals(0.5))).dual, 0.5, 1e-15);
  EXPECT_TRUE(history_.iterations.empty());
}

// Residuals that are not those of the model at r, such as ADMM's own.
TEST_F(SolveTest, EndsByOtherResidualsForAReasonOfTheirOwn) {
  Solve solve = begin(limits(1e-3));
  ConeResiduals own;
  own.primal = 1e-4;
  own.worst_contact = 0;
  ASSERT_TRUE(solve.begin_iteration());
  EXPECT_TRUE(solve.ends_by(StopReason::admm_residuals, own, normals(0.5), 2));
  EXPECT_EQ(history_.last.residuals.primal, 1e-4);
  const Result result = solve.finish();
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_EQ(result.stop_reason, StopReason::admm_residuals);
  EXPECT_EQ(result.r, normals(0.5));
  EXPECT_EQ(result.reported.at("primal"), 1e-4);
}

TEST_F(SolveTest, TakesTheEndsOfAMethodOfItsOwn) {
  const auto ended_by = [&](const auto& end) {
    history_ = {};
    Solve solve = begin(limits(1e-9));
    EXPECT_TRUE(solve.begin_iteration());
    EXPECT_FALSE(ends(solve, normals(0.5)));
    end(solve);
    EXPECT_FALSE(solve.begin_iteration()) << "it has ended";
    return solve.finish();
  };
  const Result stalled = ended_by([](Solve& solve) { solve.stall("round and round"); });
  EXPECT_EQ(stalled.status, Status::stalled);
  EXPECT_EQ(stalled.stop_reason, StopReason::no_progress);
  EXPECT_EQ(stalled.message, "round and round");
  EXPECT_EQ(stalled.iterations, 1);
  EXPECT_EQ(stalled.r, normals(0.5));

  const Result failed = ended_by([](Solve& solve) { solve.fail("W is singular"); });
  EXPECT_EQ(failed.status, Status::error);
  EXPECT_EQ(failed.stop_reason, StopReason::failure);

  const Result refused = ended_by([](Solve& solve) { solve.refuse("not of this form"); });
  EXPECT_EQ(refused.status, Status::refused);
  EXPECT_EQ(refused.stop_reason, StopReason::none);
  EXPECT_EQ(refused.message, "not of this form");

  const Result inaccurate = ended_by([](Solve& solve) {
    solve.end_inaccurate(StopReason::fixed_point, normals(0.3), "another model's answer");
  });
  EXPECT_EQ(inaccurate.status, Status::inaccurate);
  EXPECT_EQ(inaccurate.stop_reason, StopReason::fixed_point);
  EXPECT_EQ(inaccurate.r, normals(0.3)) << "its own answer, not the best iterate";
}

TEST_F(SolveTest, AnswersUnsolvedAsTheMethodSays) {
  Solve solve = begin(limits(1e-9, 2));
  iterate(solve, {normals(0.9), normals(0.5)});
  solve.answer_unsolved_with(normals(0.5));
  EXPECT_FALSE(solve.begin_iteration());
  const Result result = solve.finish();
  EXPECT_EQ(result.r, normals(0.5));
  EXPECT_NEAR(result.reported.at("dual"), 0.5, 1e-15);

  history_ = {};
  Solve solved = begin(limits(1e-9));
  solved.answer_unsolved_with(normals(0.5));
  iterate(solved, {normals(1)});
  EXPECT_EQ(solved.finish().r, normals(1)) << "a solved one answers with the solution";
}

TEST_F(SolveTest, AMethodThatReturnsWithoutAnEndIsAnError) {
  Solve at_once = begin(limits(1e-9));
  Result result = at_once.finish();
  EXPECT_EQ(result.status, Status::error);
  EXPECT_EQ(result.stop_reason, StopReason::failure);
  EXPECT_EQ(result.message, "the method returned without ending the solve");
  EXPECT_EQ(result.iterations, 0);

  Solve half_way = begin(limits(1e-9));
  iterate(half_way, {normals(0.5)});
  result = half_way.finish();
  EXPECT_EQ(result.status, Status::error);
  EXPECT_EQ(result.r, normals(0.5));
}

TEST_F(SolveTest, CountsWorkInOnePlace) {
  Solve solve = begin(limits(1e-9));
  solve.W().velocity(solve.start());
  solve.sweeps<2>().sweep([](Index) {});
  solve.add_work({.factorizations = {.lu = 2}, .products = 3});
  solve.refuse("enough");
  EXPECT_EQ(solve.finish().work,
            (WorkCounters{.factorizations = {.lu = 2}, .products = 4, .sweeps = 1}));
}

TEST_F(SolveTest, ReportsNumbersForTheRecord) {
  Solve solve = begin(limits(1e-9));
  solve.report("rho", 1);
  solve.report("rho", 2);
  solve.refuse("enough");
  EXPECT_THAT(solve.finish().reported, ElementsAre(Pair("rho", 2)));
}

TEST_F(SolveTest, ShowsTheProblem) {
  const ContactProblem problem = test::random_problem(3, 4, 12, 1);
  Solve solve(info_, problem, kept(limits(1e-9)), Vector::Ones(12), history_);
  EXPECT_EQ(solve.model(), ContactModel::ncp);
  EXPECT_EQ(solve.contacts(), 4);
  EXPECT_EQ(solve.unknowns(), 12);
  EXPECT_EQ(solve.mu(2), problem.mu()[2]);
  EXPECT_EQ(solve.q(), problem.local().q);
  EXPECT_EQ(solve.start(), Vector::Ones(12));
  EXPECT_EQ(solve.tolerance(), 1e-9);
  const Vector r = solve.projected(Vector::LinSpaced(12, -2, 3));
  for (Index i = 0; i < 4; ++i) {
    const auto r_i = r.segment<3>(3 * i);
    EXPECT_LE(distance_to_cone(r_i, problem.mu()[i]), 1e-15);
    EXPECT_TRUE(r_i.isApprox(project_on_cone(
        Eigen::Vector3d(Vector::LinSpaced(12, -2, 3).segment<3>(3 * i)), problem.mu()[i])));
  }
}

}  // namespace
}  // namespace frictionbench
