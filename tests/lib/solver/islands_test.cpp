#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "frictionbench/solver/solve.hpp"
#include "support/joined_problems.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/solve_fixture.hpp"

namespace frictionbench {
namespace {

using test::limits;
using test::SolveTest;
using test::vector;
using testing::ElementsAre;

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
  EXPECT_EQ(result.work.products, 3 + 1) << "none to judge the whole";
  EXPECT_THAT(history_.iterations, ElementsAre(1, 2, 3, 4, 4)) << "the last is the whole";

  const ConeResiduals whole =
      cone_residuals(info_.model, problem_, result.r, problem_.contact_velocity(result.r));
  EXPECT_LE(whole.max(), 2e-3);
  EXPECT_EQ(history_.last.residuals.max(), whole.max());
  EXPECT_EQ(history_.last.residuals.primal, whole.primal);
  EXPECT_EQ(history_.last.residuals.dual, whole.dual);
  EXPECT_EQ(history_.last.residuals.complementarity, whole.complementarity);
  EXPECT_EQ(history_.last.residuals.worst_contact, whole.worst_contact);
  EXPECT_EQ(result.reported.at("dual"), whole.dual);
}

TEST_F(SolveTest, IslandsThatEndByATestOfTheirOwnAreJudged) {
  Solve solve = begin(limits(2e-3, 20));
  EXPECT_TRUE(solve.solves_apart([](Solve& part) {
    part.begin_iteration();
    part.ends_by(StopReason::fixed_point, ConeResiduals{.worst_contact = 0}, part.start(), 1);
  }));
  const Result result = solve.finish();
  EXPECT_EQ(result.status, Status::inaccurate);
  EXPECT_EQ(history_.last.residuals.dual, 1) << "of the zero impulse";
  EXPECT_EQ(result.work.products, 1);
}

TEST_F(SolveTest, IslandsOfStagesAreJudgedByTheirStages) {
  Solve solve = begin(limits(2e-3, 20), normals(0, 0.99));
  EXPECT_TRUE(solve.solves_apart([](Solve& part) {
    Solve stage(part, "stage", 10, part.start());
    approach(stage);
    part.take(stage);
  }));
  const Result result = solve.finish();
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_EQ(result.work.products, 3 + 1);
  EXPECT_EQ(
      history_.last.residuals.max(),
      cone_residuals(info_.model, problem_, result.r, problem_.contact_velocity(result.r)).max());
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

// Only large ones are factored through it.
TEST(SolveIslands, OfAGlobalProblemAreGlobalWhereTheyAreLarge) {
  const ContactProblem problem = test::join_global(
      {test::random_global_problem(3, 160, 20, 1), test::random_global_problem(3, 2, 2, 2)});
  const SolverInfo info{.name = "islands", .model = ContactModel::ncp};
  std::vector<std::pair<Index, bool>> seen;
  test::History history;
  const Limits bounds = limits(1e-6, 2);
  Solve solve(info, problem, bounds, {}, history);
  EXPECT_TRUE(solve.solves_apart([&](Solve& part) {
    seen.emplace_back(part.blocks(), part.problem().global() != nullptr);
    part.stall("to see its problem");
  }));
  EXPECT_THAT(seen,
              ElementsAre(std::pair<Index, bool>(2, false), std::pair<Index, bool>(160, true)));
}

}  // namespace
}  // namespace frictionbench
