#include "frictionbench/solver/solve.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

#include "frictionbench/math/friction_cone.hpp"
#include "frictionbench/solver/settings.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"

namespace frictionbench {
namespace {

using test::limits;
using test::vector;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

struct History final : Observer {
  void setup_finished() override { ++setups; }
  void iterated(const Iterate& iterate) override {
    EXPECT_EQ(setups, 1) << "before the first iteration";
    iterations.push_back(iterate.iteration);
    last = iterate;
  }
  int setups = 0;
  std::vector<int> iterations;
  Iterate last;
};

// Frictionless contacts without coupling: W = I in 2D, q_N = -1. The answer is r_N = 1, and an
// impulse whose normal entries are r has the residuals primal (-r)_+, dual (1 - r)_+ and
// complementarity |r (r - 1)|.
class SolveTest : public testing::Test {
 protected:
  explicit SolveTest(ContactProblem problem = ContactProblem(
                         2, Vector::Zero(2),
                         LocalForm{test::sparse(Matrix::Identity(4, 4)), vector({-1, 0, -1, 0})}))
      : problem_(std::move(problem)) {}

  Solve begin(const Limits& bounds, const Vector& start = Vector::Zero(4)) {
    return {info_, problem_, kept(bounds), start, history_};
  }
  // A solve refers to its limits.
  const Limits& kept(const Limits& bounds) { return limits_.emplace_back(bounds); }

  static Vector normals(double first, double second) { return vector({first, 0, second, 0}); }
  // Both contacts in the same state.
  static Vector normals(double both) { return normals(both, both); }
  Vector velocity(const Vector& r) const { return problem_.contact_velocity(r); }

  bool ends(Solve& solve, const Vector& r) const { return solve.ends(r, velocity(r)); }

  // Judges these, an iteration each, until the solve ends.
  void iterate(Solve& solve, const std::vector<Vector>& iterates) const {
    for (const Vector& r : iterates) {
      if (!solve.begin_iteration()) return;
      if (ends(solve, r)) return;
    }
  }

  SolverInfo info_{.name = "tested", .model = ContactModel::ncp};
  ContactProblem problem_;
  std::deque<Limits> limits_;
  History history_;
};

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

/// Stages: several methods in turn that are one solve to whoever watches.
class StagesTest : public SolveTest {
 protected:
  // A stage that judges these, and then returns whether that ends the whole.
  bool run(Solve& whole, const std::string& name, int most, const std::vector<Vector>& iterates,
           const std::function<void(Solve&)>& end = {}) const {
    Solve stage(whole, name, most, whole.start());
    iterate(stage, iterates);
    if (end)
      end(stage);
    else
      stage.begin_iteration();  // where the limit ends it
    return whole.take(stage);
  }
};

TEST_F(StagesTest, AreOneSolve) {
  Solve whole = begin(limits(1e-9, 100));
  whole.W().velocity(whole.start());
  EXPECT_FALSE(run(whole, "one", 2, {normals(0.4), normals(0.5)}, [](Solve& stage) {
    stage.report("rho", 3);
    stage.stall("slow");
  }));
  EXPECT_EQ(whole.iteration(), 2);
  EXPECT_TRUE(run(whole, "two", 50, {normals(0.7), normals(0.8), normals(1)},
                  [](Solve& stage) { stage.sweeps<2>().sweep([](Index) {}); }));
  const Result result = whole.finish();
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_EQ(result.stop_reason, StopReason::residuals);
  EXPECT_EQ(result.stage, "two");
  EXPECT_EQ(result.iterations, 5);
  EXPECT_EQ(result.r, normals(1));
  EXPECT_EQ(result.reported.at("one iterations"), 2);
  EXPECT_EQ(result.reported.at("two iterations"), 3);
  EXPECT_EQ(result.reported.at("rho"), 3);
  EXPECT_EQ(history_.setups, 1);
  EXPECT_THAT(history_.iterations, ElementsAre(1, 2, 3, 4, 5));
  EXPECT_EQ(result.work.sweeps, 1);
  EXPECT_EQ(result.work.products, 1 + 2) << "two to compare the answer of `one` with the start";
}

TEST_F(StagesTest, OfOneNameAddUp) {
  Solve whole = begin(limits(1e-9, 100));
  run(whole, "twice", 2, {normals(0.4), normals(0.5)});
  run(whole, "twice", 3, {normals(0.4), normals(0.5), normals(0.6)});
  EXPECT_EQ(whole.finish().reported.at("twice iterations"), 5);
}

TEST_F(StagesTest, KeepTheBetterImpulse) {
  Solve whole = begin(limits(1e-9, 100), normals(0.1));
  run(whole, "one", 10, {normals(0.9)}, [](Solve& stage) { stage.stall(""); });
  EXPECT_EQ(whole.start(), normals(0.9)) << "where the next one starts";
  run(whole, "two", 10, {normals(0.3)}, [](Solve& stage) { stage.stall(""); });
  EXPECT_EQ(whole.start(), normals(0.9));
  EXPECT_FALSE(run(whole, "three", 10, {normals(nan)}));
  const Result result = whole.finish();
  EXPECT_EQ(result.r, normals(0.9));
  EXPECT_EQ(result.stage, "three");
  EXPECT_EQ(result.status, Status::diverged) << "the end of the stage that ran last";
}

TEST_F(StagesTest, KeepTheLimitsOfTheWhole) {
  Solve whole = begin(limits(1e-9, 7));
  const std::vector<Vector> many(10, normals(0.5));
  EXPECT_FALSE(run(whole, "one", 4, many));
  EXPECT_EQ(whole.iteration(), 4);
  EXPECT_FALSE(whole.is_last_iteration());
  {
    const Solve stage(whole, "two", 100, whole.start());
    EXPECT_EQ(stage.most_iterations(), 3) << "what is left";
    EXPECT_EQ(stage.tolerance(), whole.tolerance());
  }
  EXPECT_TRUE(run(whole, "two", 100, many));
  EXPECT_TRUE(whole.is_last_iteration());
  const Result result = whole.finish();
  EXPECT_EQ(result.iterations, 7);
  EXPECT_EQ(result.status, Status::max_iterations);
}

TEST_F(StagesTest, EndTheWholeWhenTimeIsUp) {
  Limits late = limits(1e-9);
  late.deadline = std::chrono::steady_clock::now();
  Solve whole = begin(late);
  EXPECT_TRUE(run(whole, "one", 10, {normals(0.5), normals(0.6)}));
  const Result result = whole.finish();
  EXPECT_EQ(result.status, Status::time_limit);
  EXPECT_EQ(result.iterations, 1);
}

TEST_F(StagesTest, HaveTestsOfTheirOwn) {
  Solve whole = begin(limits(1e-9, 100));
  EXPECT_FALSE(run(whole, "one", 50, std::vector<Vector>(10, normals(0.5)), [](Solve&) {}));
  Solve stage(whole, "two", 50, whole.start());
  stage.stall_after(2);
  iterate(stage, std::vector<Vector>(10, normals(0.5)));
  EXPECT_EQ(stage.iteration(), 3) << "counted from the stage's first";
  EXPECT_FALSE(whole.take(stage));
  EXPECT_EQ(whole.finish().status, Status::stalled);
}

/// Solves in the units of a solver: two contacts whose masses differ by 1e6.
class ScaledSolve : public SolveTest {
 protected:
  ScaledSolve() : SolveTest(uneven()) { info_.model = ContactModel::ccp; }

  static ContactProblem uneven() {
    const ContactProblem even = test::random_problem(3, 2, 6, 3, 1);
    return ContactProblem(3, Vector::Constant(2, 0.5),
                          test::local_form(even.scaled(vector({1e-3, 1e3}), 7)));
  }

  Solve begin(const Limits& bounds) { return {info_, problem_, kept(bounds), {}, history_}; }

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
  EXPECT_NEAR(next.tolerance(), 1e-30 / 3, 1e-36);
  next.stall("no better");
  EXPECT_FALSE(solve.take(next));
  const Result result = solve.finish();
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_EQ(result.r, r) << "still the best";
}

TEST_F(ScaledSolve, CountsTheProductOfTheLastCheck) {
  Solve solve = begin(limits(1e-9, 100000));
  solve.use(Scaling::contacts);
  gradient(solve);
  const std::int64_t before = solve.work().products;
  EXPECT_EQ(solve.finish().work.products, before + 1);
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

// The two contacts do not touch. Each is solved to a tenth of what is left in every iteration.
void approach(Solve& solve) {
  Vector r = solve.start();
  while (solve.begin_iteration()) {
    r[0] += 0.9 * (1 - r[0]);
    if (solve.ends(r, solve.W().velocity(r))) return;
  }
}

TEST_F(SolveTest, SolvesIslandsApart) {
  Solve solve = begin(limits(2e-3, 20), normals(0, 0.99));
  EXPECT_TRUE(solve.solves_apart(approach));
  const Result result = solve.finish();
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_NEAR(result.r[0], 1, 2e-3);
  EXPECT_NEAR(result.r[2], 1, 2e-3);
  EXPECT_EQ(result.iterations, 3 + 1) << "the second starts nearer";
  EXPECT_EQ(result.work.products, 3 + 1 + 1) << "and one to judge the whole";
  EXPECT_THAT(history_.iterations, ElementsAre(1, 2, 3, 4, 4)) << "the last is the whole";
  EXPECT_LE(history_.last.residuals.max(), 2e-3);
}

TEST_F(SolveTest, UnitsOfIslandsAreThoseOfTheirContacts) {
  Limits bounds = limits(2e-3, 20);
  bounds.units = {vector({1, 1e-3}), vector({1, 1e-3})};
  Solve solve = begin(bounds);
  EXPECT_TRUE(solve.solves_apart(approach));
  EXPECT_EQ(solve.finish().iterations, 3 + 1);
}

TEST_F(SolveTest, AnUnsolvedIslandDecidesHowTheWholeEnds) {
  Solve solve = begin(limits(2e-3, 20));
  int island = 0;
  EXPECT_TRUE(solve.solves_apart([&](Solve& part) {
    if (++island == 2) return approach(part);
    part.begin_iteration();
    part.judge(part.start(), part.q());
    part.stall("lost");
  }));
  const Result result = solve.finish();
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_EQ(result.message, "lost");
  EXPECT_NEAR(result.r[2], 1, 2e-3) << "the other is solved all the same";
}

// Three contacts, the first two of which touch.
TEST_F(SolveTest, TheSmallestIslandIsSolvedFirst) {
  Matrix W = Matrix::Identity(6, 6);
  W(0, 2) = W(2, 0) = 0.1;
  const ContactProblem problem(2, Vector::Zero(3),
                               LocalForm{test::sparse(W), vector({-1, 0, -1, 0, -1, 0})});
  Solve solve(info_, problem, kept(limits(1e-3, 20)), Vector::Zero(6), history_);
  std::vector<Index> contacts;
  EXPECT_TRUE(solve.solves_apart([&](Solve& part) {
    contacts.push_back(part.contacts());
    part.begin_iteration();
    part.judge(part.start(), part.q());
    part.stall("lost");
  }));
  EXPECT_THAT(contacts, ElementsAre(1, 2));
}

TEST_F(SolveTest, IslandsShareTheIterationLimit) {
  Solve solve = begin(limits(1e-6, 8));
  EXPECT_TRUE(solve.solves_apart(approach));
  const Result result = solve.finish();
  EXPECT_EQ(result.status, Status::max_iterations);
  EXPECT_EQ(result.iterations, 8);
}

TEST_F(SolveTest, OneIslandIsNotDivided) {
  Matrix W = Matrix::Identity(4, 4);
  W(0, 2) = W(2, 0) = 0.5;
  const ContactProblem joined(2, Vector::Zero(2),
                              LocalForm{test::sparse(W), vector({-1, 0, -1, 0})});
  Solve solve(info_, joined, kept(limits(2e-3, 20)), Vector::Zero(4), history_);
  EXPECT_FALSE(solve.solves_apart(approach));
  EXPECT_EQ(solve.iteration(), 0);
}

}  // namespace
}  // namespace frictionbench
