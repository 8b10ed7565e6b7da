#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

#include "frictionbench/solver/settings.hpp"
#include "frictionbench/solver/solve.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/solve_fixture.hpp"

namespace frictionbench {
namespace {

using test::limits;
using test::SolveTest;
using test::vector;
using testing::HasSubstr;

/// Solves with Scaling::contacts: two contacts whose masses differ by 1e6.
class ScaledSolve : public SolveTest {
 protected:
  ScaledSolve() : SolveTest(uneven()) { info_.model = ContactModel::ccp; }

  static ContactProblem uneven() {
    const ContactProblem even = test::random_problem(3, 2, 6, 3, 1);
    return ContactProblem(3, Vector::Constant(2, 0.5),
                          test::local_form(even.scaled(vector({1e-3, 1e3}), 7)));
  }

  Solve begin(const Limits& bounds) {
    return {info_, problem_, kept(bounds), {}, histories_.emplace_back()};
  }

  // An impulse that solves the problem to 1e-9.
  Vector answer() {
    Solve solve = begin(limits(1e-9, 100000));
    solve.use(Scaling::contacts);
    gradient(solve);
    return solve.finish().r;
  }

  // Projected gradient, which needs the scaling.
  static void gradient(Solve& solve) {
    const double step = 1 / solve.W().largest_eigenvalue(100);
    Vector r = solve.start(), u = solve.W().velocity(r);
    while (solve.begin_iteration()) {
      r = solve.projected(r - step * u);
      u = solve.W().velocity(r);
      if (solve.ends(r, u)) return;
    }
  }

 private:
  std::deque<test::History> histories_;  // one a solve
};

TEST_F(ScaledSolve, ShowsTheProblemInOtherUnits) {
  Solve solve = begin(limits(1e-9));
  solve.use(Scaling::contacts);
  const Vector diagonal = solve.problem().local().W.diagonal();
  for (Index i = 0; i < 2; ++i) EXPECT_NEAR(diagonal.segment<3>(3 * i).mean(), 1, 1e-12);
  EXPECT_NEAR(solve.q().lpNorm<Eigen::Infinity>(), 1, 1e-12);
  EXPECT_EQ(&solve.W().matrix(), &solve.problem().local().W);

  Solve plain = begin(limits(1e-9));
  plain.use(Scaling::none);
  EXPECT_EQ(plain.q(), problem_.local().q);
}

// Whatever the impulse, and whatever the tolerance is measured in.
TEST_F(ScaledSolve, ResidualsAreThoseOfTheFile) {
  for (const Scale scale : {Scale::relative, Scale::absolute, Scale::scaled}) {
    Limits bounds = limits(1e-9);
    bounds.units = units_of(scale, problem_);
    Solve solve = begin(bounds);
    solve.use(Scaling::contacts);
    const ContactScaling scaling = ContactScaling::equilibrated(problem_);
    for (const double size : {1e-3, 1.0, 50.0}) {
      const Vector own = size * Vector::LinSpaced(6, -1, 2);
      const Vector r = scaling.impulse_to_original(own);
      const ConeResiduals here = solve.residuals(own, solve.W().velocity(own));
      const ConeResiduals there =
          cone_residuals(info_.model, problem_, r, problem_.contact_velocity(r), bounds.units);
      EXPECT_NEAR(here.primal, there.primal, 1e-12 * there.primal);
      EXPECT_NEAR(here.dual, there.dual, 1e-11 * there.dual);
      EXPECT_NEAR(here.complementarity, there.complementarity, 1e-11 * there.complementarity);
      EXPECT_EQ(here.worst_contact, there.worst_contact);
    }
  }
}

TEST_F(ScaledSolve, AnswersInTheUnitsOfTheFile) {
  Solve solve = begin(limits(1e-9, 100000));
  solve.use(Scaling::contacts);
  gradient(solve);
  const Result result = solve.finish();
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_LE(judge(problem_, result.r).ccp.max(), 1e-9);
  EXPECT_EQ(result.reported.at("dual"), judge(problem_, result.r).ccp.dual)
      << "measured on the file";
}

TEST_F(ScaledSolve, StartsAtTheImpulseOfTheFile) {
  const Vector start = Vector::LinSpaced(6, 1, 2);
  Solve solve(info_, problem_, kept(limits(1e-9)), start, history_);
  solve.use(Scaling::contacts);
  EXPECT_LE(
      (solve.start() - ContactScaling::equilibrated(problem_).impulse_to_scaled(start)).norm(),
      1e-15 * solve.start().norm());
  solve.refuse("seen enough");
  EXPECT_EQ(solve.finish().r, start) << "not a rounding error off";
}

// An answer that passes in the units of the solver, and is off by rounding in those of the file.
TEST_F(ScaledSolve, WhatOnlyRoundingLetPassIsInaccurate) {
  const Vector r = answer();
  Solve solve = begin(limits(1e-30));
  solve.use(Scaling::contacts);
  solve.converge(ContactScaling::equilibrated(problem_).impulse_to_scaled(r), {});
  const Result result = solve.finish();
  EXPECT_EQ(result.status, Status::inaccurate);
  EXPECT_EQ(result.stop_reason, StopReason::residuals);
  EXPECT_THAT(result.message, HasSubstr("rounding exceeds the tolerance in the units of the file"));
  EXPECT_GT(std::max(result.reported.at("dual"), result.reported.at("complementarity")), 1e-30);
}

TEST_F(ScaledSolve, GoesOnAfterAStageThatOnlyRoundingLetPass) {
  const Vector r = answer();
  Solve solve = begin(limits(1e-30));
  solve.use(Scaling::contacts);
  Solve stage(solve, "first", 10, solve.start());
  stage.converge(ContactScaling::equilibrated(problem_).impulse_to_scaled(r), {});
  EXPECT_FALSE(solve.take(stage));
  Solve next(solve, "second", 10, solve.start());
  EXPECT_EQ(next.tolerance(), 1e-30);
  next.stall("no better");
  EXPECT_FALSE(solve.take(next));
  const Result result = solve.finish();
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_EQ(result.r, r) << "still the best";
}

TEST_F(ScaledSolve, GoesOnAfterAnIterateThatOnlyRoundingLetPass) {
  const ContactScaling scaling = ContactScaling::equilibrated(problem_);
  const Vector solution = answer(), almost = 1.001 * solution;
  Solve solve = begin(limits(1e-9, 100000));
  solve.use(Scaling::contacts);
  ASSERT_TRUE(solve.begin_iteration());
  EXPECT_FALSE(solve.ends_by(StopReason::residuals, {}, scaling.impulse_to_scaled(almost), 1));
  ASSERT_TRUE(solve.begin_iteration());
  EXPECT_TRUE(solve.ends_by(StopReason::residuals, {}, scaling.impulse_to_scaled(solution), 1));
  const Result result = solve.finish();
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_LE((result.r - solution).norm(), 1e-14 * solution.norm()) << "not the one before";
}

TEST_F(ScaledSolve, SaysThatRoundingIsWhyNothingWasGoodEnough) {
  const ContactScaling scaling = ContactScaling::equilibrated(problem_);
  const Vector almost = 1.001 * answer();
  const auto ended_by = [&](auto&& end) {
    Solve solve = begin(limits(1e-9, 100));
    solve.use(Scaling::contacts);
    EXPECT_TRUE(solve.begin_iteration());
    EXPECT_FALSE(solve.ends_by(StopReason::residuals, {}, scaling.impulse_to_scaled(almost), 1));
    end(solve);
    return solve.finish();
  };
  const auto end_by_basis = [&](Solve& solve) {
    solve.end_inaccurate(StopReason::complementary_basis, scaling.impulse_to_scaled(almost),
                         "an error below the tolerance, in scaled units");
  };
  for (const Result& result : {ended_by([](Solve& solve) { solve.stall("no better"); }),
                               ended_by(end_by_basis), ended_by([](Solve& solve) {
                                 while (solve.begin_iteration()) {
                                 }
                               })}) {
    EXPECT_EQ(result.status, Status::inaccurate);
    EXPECT_THAT(result.message, HasSubstr("rounding exceeds the tolerance"));
    EXPECT_LE((result.r - almost).norm(), 1e-14 * almost.norm());
    EXPECT_LE(result.iterations, 2) << "at most as many again";
  }
  EXPECT_EQ(ended_by([](Solve& solve) { solve.fail("a failure"); }).status, Status::error);
}

TEST_F(ScaledSolve, AStageGoesOnAfterRounding) {
  const ContactScaling scaling = ContactScaling::equilibrated(problem_);
  const Vector solution = answer();
  Solve whole = begin(limits(1e-9, 100000));
  whole.use(Scaling::contacts);
  Solve stage(whole, "only", 10, whole.start());
  ASSERT_TRUE(stage.begin_iteration());
  EXPECT_FALSE(stage.converge(scaling.impulse_to_scaled(1.001 * solution), {}));
  EXPECT_TRUE(stage.ends_by(StopReason::residuals, {}, scaling.impulse_to_scaled(solution), 1));
  EXPECT_TRUE(whole.take(stage));
  EXPECT_EQ(whole.finish().status, Status::converged);
}

TEST_F(ScaledSolve, ConvergesWithoutScalingInAnyCase) {
  Solve solve = begin(limits(1e-9));
  EXPECT_TRUE(solve.converge(Vector::Constant(6, 1e3), {})) << "there are no other units";
}

TEST_F(ScaledSolve, CountsTheProductOfTheLastCheck) {
  const auto result_within = [&](int iterations) {
    Solve solve = begin(limits(1e-9, iterations));
    solve.use(Scaling::contacts);
    gradient(solve);
    return solve.finish();
  };
  const Result solved = result_within(100000);
  ASSERT_EQ(solved.status, Status::converged);
  const Result unsolved = result_within(solved.iterations - 1);
  ASSERT_EQ(unsolved.status, Status::max_iterations);
  EXPECT_EQ(solved.work.products, unsolved.work.products + 2)
      << "one of them is the last iterate's";
}

TEST_F(ScaledSolve, ScalesTheStagesOfTheWhole) {
  Solve whole = begin(limits(1e-9, 100000));
  {
    Solve stage(whole, "plain", 5, whole.start());
    EXPECT_EQ(&stage.problem(), &problem_);
    gradient(stage);
    EXPECT_FALSE(whole.take(stage));
  }
  const Vector unscaled = whole.start();
  whole.use(Scaling::contacts);
  const ContactScaling scaling = ContactScaling::equilibrated(problem_);
  EXPECT_LE((scaling.impulse_to_original(whole.start()) - unscaled).norm(),
            1e-14 * unscaled.norm());

  Solve stage(whole, "scaled", 100000, whole.start());
  stage.use(Scaling::none);
  EXPECT_EQ(&stage.problem(), &whole.problem()) << "a stage keeps the units of the whole";
  EXPECT_EQ(stage.start(), whole.start());
  gradient(stage);
  EXPECT_TRUE(whole.take(stage));
  const Result result = whole.finish();
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_LE(judge(problem_, result.r).ccp.max(), 1e-9);
  EXPECT_EQ(result.stage, "scaled");
  EXPECT_EQ(result.reported.at("plain iterations"), 5);
}

TEST_F(ScaledSolve, WorksOnAGlobalProblem) {
  const ContactProblem global = test::random_global_problem(3, 3, 2, 5);
  Solve solve(info_, global, kept(limits(1e-8, 100000)), Vector::Zero(9), history_);
  solve.use(Scaling::contacts);
  ASSERT_NE(solve.problem().global(), nullptr);
  gradient(solve);
  const Result result = solve.finish();
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_LE(judge(global, result.r).ccp.max(), 1e-8);
}

TEST(ScalingSetting, IsDescribedInOnePlace) {
  Scaling scaling = Scaling::contacts;
  SettingFields fields;
  describe_scaling(fields, scaling);
  const SettingDescription described = fields.descriptions().at(0);
  EXPECT_EQ(described.name, "scaling");
  EXPECT_EQ(described.type, "none | contacts");
  EXPECT_EQ(text_of(described.default_value), "contacts");
  fields.assign({{"scaling", "none"}});
  EXPECT_EQ(scaling, Scaling::none);
}

}  // namespace
}  // namespace frictionbench
