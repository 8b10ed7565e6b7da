#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "frictionbench/solver/solve.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/solve_fixture.hpp"

namespace frictionbench {
namespace {

using test::limits;
using test::SolveTest;
using testing::ElementsAre;

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

TEST_F(StagesTest, ShareWhatIsAnalysed) {
  Solve whole = begin(limits(1e-9, 100));
  const Solve one(whole, "one", 10, whole.start()), two(whole, "two", 10, whole.start());
  EXPECT_EQ(&one.W(), &whole.W());
  EXPECT_EQ(&two.W(), &whole.W());
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
  EXPECT_FALSE(run(whole, "three", 10, {normals(std::numeric_limits<double>::quiet_NaN())}));
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

}  // namespace
}  // namespace frictionbench
