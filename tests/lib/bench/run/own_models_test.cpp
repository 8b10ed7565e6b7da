// What is recorded of a solver that solves another model than the criterion's.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "frictionbench/bench/run/runner.hpp"
#include "frictionbench/results/document/json.hpp"
#include "frictionbench/solvers/register_all.hpp"
#include "support/problem_folder.hpp"
#include "support/problems.hpp"
#include "support/scripted_solver.hpp"

namespace frictionbench::bench {
namespace {

using test::scripted;
using test::vector;
using testing::HasSubstr;

class OwnModels : public testing::Test {
 protected:
  // A contact that slides.
  OwnModels() {
    folder_.write("A/slide.hdf5", problem_);
    options_.repeat_time = 0;
    options_.time_limit = 5;
  }
  results::Document run(const ConfiguredSolver& solver) {
    RunObserver silent;
    const Plan plan = make_plan(folder_.problems(), {solver}, {});
    return bench::run(plan, {solver}, options_, silent).value();
  }
  results::Record record_of(const ConfiguredSolver& solver) { return run(solver).records.at(0); }
  results::Record record_of(const std::string& solver) {
    return record_of(solvers::all_solvers().make(solver));
  }
  static ConfiguredSolver answering(const Vector& r, const Vector& compliance, ContactModel model,
                                    Status status = Status::converged) {
    return scripted(
        "scripted",
        [=](const ContactProblem&) {
          Result result;
          result.status = status;
          result.r = r;
          result.compliance = compliance;
          return result;
        },
        model);
  }

  const ContactProblem problem_ = test::one_contact(vector({1, 1, 1}), vector({-1, 3, 0}), 0.5);
  test::ProblemFolder folder_;
  RunOptions options_;
};

TEST_F(OwnModels, OfACompliantSolver) {
  for (const char* solver : {"ccp-sap", "ccp-newton"}) {
    const results::Record record = record_of(solver);
    EXPECT_EQ(name(record.status), name(Status::other_model)) << record.message;
    EXPECT_THAT(record.message, HasSubstr("its own model, ccp with a compliance"));
    ASSERT_TRUE(record.own_model);
    EXPECT_GT(record.own_model->compliance_min, 0);
    EXPECT_GE(record.own_model->compliance_max, record.own_model->compliance_min);
    EXPECT_LT(record.own_model->compliance_max, 0.2) << "of W = 1";
    EXPECT_LE(record.own_model->residuals.relative, 1e-6);
    EXPECT_GT(record.own_model->gap, 1e-4);
    EXPECT_LT(record.own_model->gap, 0.2);
    EXPECT_TRUE(record.solved.native.relative);
    EXPECT_FALSE(record.solved.ccp.relative) << "the CCP without compliance is another one";
    EXPECT_FALSE(record.solved.ncp.relative);
    EXPECT_FALSE(record.verdict->momentum) << "there is no M";

    options_.criterion = Criterion::native;
    EXPECT_EQ(name(record_of(solver).status), name(Status::converged));
    options_.criterion = Criterion::ccp;
    EXPECT_EQ(name(record_of(solver).status), name(Status::other_model));
    options_.criterion = Criterion::ncp;
  }
}

TEST_F(OwnModels, HaveAVelocityWhereThereIsAMass) {
  std::filesystem::remove(folder_.file("A/slide.hdf5"));
  folder_.write("A/slide.hdf5", test::random_global_problem(3, 3, 2, 4));
  for (const char* solver : {"ccp-sap", "ccp-newton"}) {
    const results::Record record = record_of(solver);
    ASSERT_TRUE(record.verdict && record.verdict->momentum) << record.message;
    EXPECT_LE(*record.verdict->momentum, 1e-5);
    ASSERT_TRUE(record.verdict->slackness);
    EXPECT_LE(*record.verdict->slackness, 1e-5);
    EXPECT_TRUE(record.solved.native.relative);
  }
  EXPECT_FALSE(record_of("ncp-pgs").verdict->momentum);
}

// By hand: R = (1, 1, 1) makes u = 2 r + q; r = (0.5, -0.25, 0) slides, and solves the NCP of W + R.
TEST_F(OwnModels, AreJudgedFromTheImpulse) {
  const Vector r = vector({0.5, -0.25, 0}), R = vector({1, 1, 1});
  const results::Record record = record_of(answering(r, R, ContactModel::ncp));
  EXPECT_EQ(name(record.status), name(Status::other_model)) << record.message;
  ASSERT_TRUE(record.own_model);
  EXPECT_LE(record.own_model->residuals.relative, 1e-15);
  EXPECT_EQ(record.own_model->compliance_min, 1);
  EXPECT_EQ(record.own_model->compliance_max, 1);
  EXPECT_NEAR(record.own_model->gap, r.norm() / 3, 1e-15);
  EXPECT_TRUE(record.solved.native.relative && record.solved.native.absolute);
  EXPECT_FALSE(record.solved.ncp.relative);
  EXPECT_NEAR(record.verdict->ncp.relative, judge(problem_, r).ncp.relative, 1e-15);
}

// So soft that next to nothing solves it: its own model, and a gap that says what that is worth.
TEST_F(OwnModels, ThatAreFarAwayHaveALargeGap) {
  const double R = 1e9;
  const Vector r = vector({1 / (1 + R), -0.5 / (1 + R), 0});
  const results::Record record = record_of(answering(r, Vector::Constant(3, R), ContactModel::ncp));
  EXPECT_EQ(name(record.status), name(Status::other_model)) << record.message;
  EXPECT_FALSE(record.solved.ncp.relative);
  EXPECT_GT(record.own_model->gap, 0.3);
}

TEST_F(OwnModels, ALiarOnItsOwnModelIsWrong) {
  const Vector nothing = vector({0, 0, 0});
  for (const ContactModel model : {ContactModel::ccp, ContactModel::lcp, ContactModel::ncp})
    for (const Vector& R : {Vector(), Vector(Vector::Ones(3))}) {
      const results::Record record = record_of(answering(nothing, R, model));
      EXPECT_EQ(name(record.status), name(Status::wrong)) << record.message;
      EXPECT_THAT(record.message, HasSubstr("relative " + std::string(name(model)) + " residual"));
      EXPECT_FALSE(record.solved.native.relative);
    }
}

TEST_F(OwnModels, OfAnAnswerThatIsNotFinite) {
  const results::Record record =
      record_of(answering(vector({NAN, 0, 0}), Vector::Ones(3), ContactModel::ccp));
  EXPECT_EQ(name(record.status), name(Status::wrong)) << record.message;
  ASSERT_TRUE(record.own_model);
  EXPECT_TRUE(std::isnan(record.own_model->residuals.relative));
  EXPECT_TRUE(std::isnan(record.own_model->gap)) << "not 0";
  const results::Record diverged =
      record_of(answering(vector({NAN, 0, 0}), {}, ContactModel::ccp, Status::diverged));
  EXPECT_EQ(name(diverged.status), name(Status::diverged));
  EXPECT_FALSE(diverged.solved.native.relative);
}

// A step that is too long: iterates grow until they overflow.
TEST_F(OwnModels, ABlowUpHasDiverged) {
  struct Growing {
    void describe(SettingFields&) {}
  };
  Registry registry;
  registry.add(solver_entry(
      {.name = "growing", .model = ContactModel::ccp, .summary = "grows", .sources = {"a test"}},
      +[](const Growing&, Solve& solve) {
        Vector r = Vector::Ones(solve.unknowns());
        while (solve.begin_iteration()) {
          r *= 1e30;
          if (solve.ends(r, solve.W().velocity(r))) return;
        }
      }));
  const results::Record record = record_of(registry.make("growing"));
  EXPECT_EQ(name(record.status), name(Status::diverged)) << record.message;
  EXPECT_EQ(record.stop_reason, StopReason::not_finite);
  EXPECT_TRUE(record.verdict) << "on the best iterate";
}

TEST_F(OwnModels, AComplianceOfTheRunIsThatOfTheProblem) {
  options_.compliance = ComplianceRule{false, 1};
  const results::Document document = run(solvers::all_solvers().make("ncp-pgs"));
  EXPECT_EQ(document.run.compliance, (ComplianceRule{false, 1}));
  EXPECT_EQ(document.problems.at(0).compliance_min, 1);
  EXPECT_EQ(document.problems.at(0).compliance_max, 1);
  EXPECT_EQ(document.problems.at(0).islands, 1);
  const results::Record& record = document.records.at(0);
  EXPECT_EQ(name(record.status), name(Status::converged)) << record.message;
  EXPECT_FALSE(record.own_model) << "the compliance is the problem's";
  EXPECT_NEAR(record.verdict->impulse_norm, vector({0.5, -0.25, 0}).norm(), 1e-5);
  // a solver's own comes on top, and only that is a gap
  const results::Record own = record_of("ccp-sap");
  ASSERT_TRUE(own.own_model);
  EXPECT_GT(own.own_model->compliance_min, 1);
  EXPECT_LT(own.own_model->gap, 0.2);
}

TEST_F(OwnModels, TheForceScaleNeedsATimeStepAndDecides) {
  options_.scale = Scale::force;
  options_.time_step = 0.01;
  const results::Record record = record_of("ncp-pgs");
  EXPECT_EQ(name(record.status), name(Status::converged)) << record.message;
  EXPECT_EQ(record.solved.ncp.force, true);
  EXPECT_EQ(record.verdict->time_step, 0.01);
  options_.scale = Scale::relative;
  options_.time_step.reset();
  EXPECT_FALSE(record_of("ncp-pgs").solved.ncp.force);
}

TEST_F(OwnModels, SolveTimesHaveAUnitThatTravels) {
  const results::Record record = record_of("ncp-pgs");
  ASSERT_TRUE(record.time.cholesky);
  EXPECT_GT(*record.time.cholesky, 0);
  EXPECT_DOUBLE_EQ(record.time.cholesky_equivalents().value(),
                   record.time.solve->median / *record.time.cholesky);
}

// The observer is given the impulse that was judged.
TEST_F(OwnModels, ObserversSeeTheImpulse) {
  struct Last final : RunObserver {
    void finished(const results::Record&, const Vector& impulse) override { r = impulse; }
    Vector r;
  } last;
  const std::vector<ConfiguredSolver> solvers{
      answering(vector({1, -0.5, 0}), {}, ContactModel::ncp)};
  bench::run(make_plan(folder_.problems(), solvers, {}), solvers, options_, last);
  EXPECT_EQ(last.r, vector({1, -0.5, 0}));
}

}  // namespace
}  // namespace frictionbench::bench
