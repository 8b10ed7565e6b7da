// Solves whose method adds a compliance of its own, or has velocities to return.

#include <gtest/gtest.h>

#include "frictionbench/solver/solve.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"

namespace frictionbench {
namespace {

using test::vector;

class Soften : public testing::Test {
 protected:
  Solve begin(const ContactProblem& problem, const Vector& start = Vector::Zero(3)) {
    return {info_, problem, limits_, start, silent_};
  }

  SolverInfo info_{.name = "tested", .model = ContactModel::ccp, .exact = false};
  const Limits limits_ = test::limits(1e-12);
  Observer silent_;
  // u_N = (2 + R_N) r_N - 1
  const ContactProblem rigid_ = test::one_contact(vector({2, 2, 2}), vector({-1, 0, 0}), 0.5);
};

TEST_F(Soften, TheProblemHasTheComplianceAndTheResultSaysSo) {
  const Vector R = vector({0.5, 0.25, 0.25}), r = vector({1 / 2.5, 0, 0});
  Solve solve = begin(rigid_);
  solve.soften(R);
  EXPECT_EQ(solve.problem().compliance(), R);
  EXPECT_EQ(&solve.W().matrix(), &solve.problem().local().W);
  EXPECT_LE(solve.W().velocity(r).norm(), 1e-15);
  ASSERT_TRUE(solve.begin_iteration());
  EXPECT_TRUE(solve.ends(r, solve.W().velocity(r)));
  const Result result = solve.finish();
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_EQ(result.compliance, R);
  EXPECT_EQ(result.r, r);
  EXPECT_EQ(result.velocity.size(), 0);
  EXPECT_EQ(rigid_.compliance().size(), 0);
}

TEST_F(Soften, TheComplianceComesOnTopOfThatOfTheProblem) {
  const ContactProblem problem = rigid_.with_compliance(vector({1, 2, 3}));
  Solve solve = begin(problem);
  solve.soften(vector({0.5, 0.5, 0.5}));
  EXPECT_EQ(solve.problem().compliance(), vector({1.5, 2.5, 3.5}));
  EXPECT_EQ(Matrix(solve.problem().rigid_W()), Matrix(rigid_.local().W));
  solve.stall("seen enough");
  EXPECT_EQ(solve.finish().compliance, vector({1.5, 2.5, 3.5})) << "also of an unsolved one";
}

TEST_F(Soften, StagesSolveTheSoftenedProblem) {
  Solve whole = begin(rigid_);
  whole.soften(vector({0.5, 0.25, 0.25}));
  Solve stage(whole, "stage", 10, whole.start());
  EXPECT_EQ(&stage.problem(), &whole.problem());
  stage.stall("");
  whole.take(stage);
  EXPECT_EQ(whole.finish().compliance, vector({0.5, 0.25, 0.25}));
}

TEST_F(Soften, WithoutItThereIsNone) {
  for (const ContactProblem& problem : {rigid_, rigid_.with_compliance(vector({1, 2, 3}))}) {
    Solve solve = begin(problem);
    solve.stall("");
    EXPECT_EQ(solve.finish().compliance.size(), 0) << "that of the problem";
  }
}

TEST_F(Soften, AVelocityIsReturned) {
  Solve solve = begin(rigid_);
  solve.return_velocity(vector({1}));
  solve.return_velocity(vector({4, 5}));
  solve.stall("");
  EXPECT_EQ(solve.finish().velocity, vector({4, 5}));
}

}  // namespace
}  // namespace frictionbench
