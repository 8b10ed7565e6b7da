#include <gtest/gtest.h>

#include <cmath>

#include "frictionbench/solvers/gauss_seidel/sweep_momentum.hpp"
#include "lib/scenes/scene_support.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench::solvers {
namespace {

using test::limits;
using test::solve;
using test::vector;

// One contact with W = I, on which only the first entry moves.
class SweepMomentumTest : public testing::Test {
 protected:
  SweepMomentumTest() : momentum_(ContactSweeps<3>(problem_, work_)) {}

  // Where the next sweep starts if the last one ended at r.
  double next(double r) {
    Vector x = vector({r, 0, 0});
    momentum_.extrapolate(x);
    return x[0];
  }

  ContactProblem problem_ = test::one_contact(vector({1, 1, 1}), vector({-1, 0, 0}), 0.5);
  WorkCounters work_;
  SweepMomentum momentum_;
};

TEST_F(SweepMomentumTest, IsThatOfNesterov) {
  EXPECT_EQ(next(0), 0) << "the start of the solve";
  EXPECT_EQ(next(1), 1) << "t = 1: the first sweep has no momentum";
  const double t1 = (1 + std::sqrt(5)) / 2, t2 = (1 + std::sqrt(1 + 4 * t1 * t1)) / 2;
  EXPECT_DOUBLE_EQ(next(2), 2 + (t1 - 1) / t2 * (2 - 1));
  const double t3 = (1 + std::sqrt(1 + 4 * t2 * t2)) / 2;
  EXPECT_DOUBLE_EQ(next(3), 3 + (t2 - 1) / t3 * (3 - 2));
}

TEST_F(SweepMomentumTest, IsLostWhereASweepTurnsBack) {
  for (const double r : {0, 1, 2}) next(r);
  EXPECT_GT(next(3), 3.2);
  EXPECT_EQ(next(3.1), 3.1) << "behind where it started, though ahead of 3";
  EXPECT_LT(next(3.05), 3.05) << "t has begun to grow again, in the other direction";
}

// Sweeps that end as far behind their start as before never make progress.
TEST_F(SweepMomentumTest, FallsWhereSweepsGetNoShorter) {
  next(0);
  double r = 0, start = 0;
  for (int k = 0; k < 5000; ++k) {
    r = start + 1;
    start = next(r);
  }
  EXPECT_EQ(start, r) << "no momentum is left in the end";
}

// Any momentum makes exact sweeps over the corners of this cube go in circles.
TEST(Momentum, EndsWhereItKeepsSweepsFromConverging) {
  const scenes::Snapshot state =
      scenes::test::state("sliding_box", {{"speed", "0"}, {"slope", "45"}, {"mu", "1.000001"}});
  const ContactProblem problem = scenes::global_problem(state.world, state.contacts);
  const Result plain = solve("ncp-nsgs", problem, limits(1e-14, 20000));
  const Result braked = solve("ncp-nsgs(momentum=true)", problem, limits(1e-14, 20000));
  EXPECT_LE(judge(problem, braked.r).ncp.max(), 10 * judge(problem, plain.r).ncp.max());
}

// A loose pile, and a wall, where plain sweeps need thousands.
TEST(Momentum, NeedsFewerSweeps) {
  for (const auto& [scene, parameters] :
       {std::pair<std::string, Assignments>{"wall", {{"rows", "10"}, {"columns", "6"}}},
        {"packed_spheres", {{"grains", "100"}, {"steps", "100"}, {"snapshots", "1"}}}}) {
    const scenes::Snapshot state = scenes::test::state(scene, parameters);
    const ContactProblem problem = scenes::global_problem(state.world, state.contacts);
    for (const std::string solver : {"ncp-pgs", "ncp-nsgs"}) {
      const Result plain = solve(solver + "(relaxation=1)", problem, limits(1e-7, 100000));
      const Result fast =
          solve(solver + "(relaxation=1,momentum=true)", problem, limits(1e-7, 100000));
      EXPECT_EQ(fast.status, Status::converged) << scene << ", " << solver;
      EXPECT_LE(judge(problem, fast.r).ncp.max(), 1e-7);
      EXPECT_LT(2 * fast.iterations, plain.iterations) << scene << ", " << solver;
    }
  }
}

}  // namespace
}  // namespace frictionbench::solvers
