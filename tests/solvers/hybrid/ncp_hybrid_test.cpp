#include "frictionbench/solvers/hybrid/ncp_hybrid.hpp"

#include <gtest/gtest.h>

#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/solvers/gauss_seidel/ncp_nsgs.hpp"
#include "frictionbench/solvers/gauss_seidel/ncp_pgs.hpp"
#include "frictionbench/solvers/hybrid/stages.hpp"
#include "frictionbench/solvers/hybrid/sweep_stage.hpp"
#include "lib/scenes/scene_support.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/real_files.hpp"

namespace frictionbench::solvers {
namespace {

using test::limits;
using test::vector;

class History : public Observer {
 public:
  void setup_finished() override { ++setups; }
  void iterated(const Iterate& iterate) override { iterations.push_back(iterate.iteration); }
  int setups = 0;
  std::vector<int> iterations;
};

// A stage that takes `iterations`, answers r and ends as `status`.
Stages::Stage answering(const Vector& r, Status status, int iterations) {
  return [=](const Limits& bounds, const InitialGuess&, Observer& observer) {
    Result result;
    observer.setup_finished();
    result.iterations = std::min(iterations, bounds.max_iterations);
    for (int k = 1; k <= result.iterations; ++k) observer.iterated({k, {}});
    result.r = r;
    result.status = status;
    result.work.sweeps = result.iterations;
    result.fired = "residuals";
    return result;
  };
}

class StagesTest : public testing::Test {
 protected:
  // r_N = 1 stops the contact.
  ContactProblem problem_ = test::one_contact(vector({2, 2, 2}), vector({-2, 0, 0}), 0.5);
  Vector good_ = vector({0.9, 0, 0}), bad_ = vector({0.1, 0, 0});
  History history_;
  Limits limits_ = limits(1e-6, 100);

  Stages from(const Vector& r) {
    Result begun;
    begun.r = r;
    return Stages(problem_, limits_, history_, begun);
  }
};

TEST_F(StagesTest, AreOneSolve) {
  Stages stages = from(bad_);
  EXPECT_FALSE(stages.run("one", 10, answering(good_, Status::max_iterations, 10)));
  EXPECT_TRUE(stages.run("two", 50, answering(vector({1, 0, 0}), Status::converged, 3)));
  EXPECT_EQ(stages.result().iterations, 13);
  EXPECT_EQ(stages.result().work.sweeps, 13);
  EXPECT_EQ(stages.result().status, Status::converged);
  EXPECT_EQ(stages.result().fired, "two");
  EXPECT_EQ(stages.result().claimed.at("one iterations"), 10);
  EXPECT_EQ(stages.result().claimed.at("two iterations"), 3);
  EXPECT_EQ(history_.setups, 1);
  ASSERT_EQ(history_.iterations.size(), 13u);
  for (int k = 0; k < 13; ++k) EXPECT_EQ(history_.iterations[static_cast<std::size_t>(k)], k + 1);
}

TEST_F(StagesTest, KeepTheBetterImpulse) {
  Stages stages = from(bad_);
  stages.run("one", 10, answering(good_, Status::max_iterations, 10));
  EXPECT_EQ(stages.result().r, good_);
  stages.run("two", 10, answering(bad_, Status::stalled, 5));
  EXPECT_EQ(stages.result().r, good_);
  const Vector lost = Vector::Constant(3, std::numeric_limits<double>::quiet_NaN());
  stages.run("three", 10, answering(lost, Status::error, 5));
  EXPECT_EQ(stages.result().r, good_);
  EXPECT_EQ(stages.result().status, Status::error) << "what the last one said";
  EXPECT_GT(stages.result().work.products, 0) << "judging them costs products";
}

TEST_F(StagesTest, KeepTheLimitsOfTheSolve) {
  Stages stages = from(bad_);
  EXPECT_FALSE(stages.run("one", 60, answering(good_, Status::max_iterations, 1000)));
  EXPECT_EQ(stages.result().iterations, 60);
  EXPECT_FALSE(stages.run("none", 0, answering(bad_, Status::error, 1)));
  EXPECT_EQ(stages.result().status, Status::max_iterations) << "was not asked";
  EXPECT_TRUE(stages.run("two", 60, answering(good_, Status::max_iterations, 1000)));
  EXPECT_EQ(stages.result().iterations, 100);
  EXPECT_TRUE(stages.run("three", 60, answering(bad_, Status::error, 1)));
  EXPECT_EQ(stages.result().status, Status::max_iterations);
}

TEST_F(StagesTest, EndWhenTimeIsUp) {
  Stages stages = from(bad_);
  EXPECT_TRUE(stages.run("one", 10, answering(good_, Status::time_limit, 2)));
}

TEST(SweepStage, StartsWithExactSweepsAndGoesOnAsPgs) {
  const ContactProblem problem = test::random_problem(3, 30, 120, 5);
  const auto stage = [&](int sweeps) {
    Observer nobody;
    return sweep_stage(problem, limits(1e-14, sweeps), {Vector::Zero(90)}, nobody);
  };
  NcpNsgs::Settings plain;
  plain.relaxation = 1;
  for (const int sweeps : {1, 2}) {
    const Vector exact = NcpNsgs(plain).solve(problem, limits(1e-14, sweeps)).r;
    EXPECT_LE((stage(sweeps).r - exact).norm(), 1e-14 * exact.norm()) << sweeps;
  }
  Observer nobody;
  for (const int sweeps : {3, 8, 24}) {
    const Result result = stage(sweeps);
    EXPECT_EQ(result.r,
              NcpPgs({}).solve(problem, limits(1e-14, sweeps - 2), {stage(2).r}, nobody).r)
        << sweeps;
    EXPECT_EQ(result.work.sweeps, sweeps);
    EXPECT_LE(result.work.products, 6);
  }
}

TEST(SweepStage, GivesUpWhereSweepsAreTooSlow) {
  const scenes::Snapshot stack =
      scenes::test::state("stack", {{"boxes", "10"}, {"mass_ratio", "1e4"}});
  const ContactProblem problem = scenes::global_problem(stack.world, stack.contacts);
  Observer nobody;
  const Result result =
      sweep_stage(problem, limits(1e-8, 500), {Vector::Zero(problem.unknowns())}, nobody);
  EXPECT_EQ(result.status, Status::max_iterations);
  EXPECT_LT(result.iterations, 500);
  EXPECT_GE(result.iterations, 24);
}

// One problem for each stage to finish.
TEST(NcpHybrid, SaysWhichStageFinished) {
  const auto fired = [](const NcpHybrid::Settings& settings, const ContactProblem& problem,
                        double tolerance) {
    const Result result = NcpHybrid(settings).solve(problem, limits(tolerance));
    EXPECT_EQ(result.status, Status::converged) << result.message;
    EXPECT_LE(judge(problem, result.r).ncp.max(), tolerance);
    double sum = 0;
    for (const char* stage : {"sweeps", "ADMM", "interior point", "Newton"}) {
      const auto claim = result.claimed.find(std::string(stage) + " iterations");
      if (claim != result.claimed.end()) sum += claim->second;
    }
    EXPECT_EQ(sum, result.iterations);
    return result.fired;
  };
  const ContactProblem easy = test::one_contact(vector({2, 2, 2}), vector({-2, 0.3, 0}), 0.5);
  EXPECT_EQ(fired({}, easy, 1e-9), "sweeps");
  const ContactProblem hyperstatic = test::random_problem(3, 30, 20, 17);
  EXPECT_EQ(fired({.sweeps = 0}, hyperstatic, 1e-6), "ADMM");
  EXPECT_EQ(fired({.sweeps = 0, .admm = 0}, hyperstatic, 1e-6), "interior point");
  EXPECT_EQ(fired({.sweeps = 0, .admm = 0, .interior_point = 0}, hyperstatic, 1e-6), "Newton");
  EXPECT_EQ(
      fired({.sweeps = 0, .admm = 0, .interior_point = 0, .safeguards = 0}, hyperstatic, 1e-6),
      "ADMM");
}

// Tight tolerances, hyperstatic stacks, towers: where single methods fail here and there.
TEST(NcpHybrid, SolvesRealFilesToOneInABillion) {
  SKIP_WITHOUT_REAL_FILES("fclib/local/IllConditionedStack");
  int files = 0, solved = 0;
  for (const char* folder :
       {"fclib/local/IllConditionedStack", "fclib/local/BoxesStack", "fclib/local/Capsules"}) {
    const auto paths = test::real_files(folder);
    for (std::size_t k = 0; k < paths.size(); k += 40, ++files) {
      const ContactProblem problem = fclib::read_problem(paths[k]).problem;
      const Result result = NcpHybrid({}).solve(problem, limits(1e-9));
      const bool is_solved = judge(problem, result.r).ncp.max() <= 1e-9;
      EXPECT_EQ(result.status == Status::converged, is_solved) << paths[k];
      solved += is_solved;
    }
  }
  EXPECT_GE(solved, 0.9 * files);
}

}  // namespace
}  // namespace frictionbench::solvers
