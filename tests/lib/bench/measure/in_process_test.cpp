#include "frictionbench/bench/measure/in_process.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <new>
#include <stdexcept>

#include "support/problems.hpp"
#include "support/scripted_solver.hpp"

namespace frictionbench::bench {
namespace {

using test::vector;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Falls at 1 and slides at 2: the answer is (1, -0.5, 0).
ContactProblem sliding() {
  return {3, vector({0.5}), LocalForm{test::sparse(Matrix::Identity(3, 3)), vector({-1, 2, 0})}};
}

results::SolveSettings one_sample() {
  results::SolveSettings settings;
  settings.repeat_time = 0;
  return settings;
}

ConfiguredSolver answering(const Vector& r) {
  return test::scripted("answers", [r](const ContactProblem&) {
    Result result;
    result.status = Status::converged;
    result.r = r;
    return result;
  });
}

TEST(InProcess, AnswersAreJudged) {
  const Measurement right = solve_here(sliding(), answering(vector({1, -0.5, 0})), one_sample());
  EXPECT_EQ(right.record.status, Status::converged);
  EXPECT_TRUE(right.record.solved.ncp.relative);
  EXPECT_EQ(right.answer.r, vector({1, -0.5, 0}));
  ASSERT_TRUE(right.record.time.solve);
  EXPECT_EQ(right.record.time.solve->samples, 1);

  const Measurement claimed = solve_here(sliding(), answering(vector({2, 0, 0})), one_sample());
  EXPECT_EQ(claimed.record.status, Status::wrong);
  EXPECT_FALSE(claimed.record.solved.ncp.relative);
}

TEST(InProcess, SolversThatThrowGiveARecord) {
  const auto throwing = [](auto exception) {
    const ConfiguredSolver solver =
        test::scripted("throws", [exception](const ContactProblem&) -> Result { throw exception; });
    const Measurement failed = solve_here(sliding(), solver, one_sample());
    EXPECT_FALSE(failed.record.verdict);
    EXPECT_EQ(failed.answer.r.size(), 0);
    return failed.record;
  };
  const results::Record error = throwing(std::runtime_error("first\nsecond"));
  EXPECT_EQ(error.status, Status::error);
  EXPECT_EQ(error.message, "first; second");
  EXPECT_EQ(throwing(std::bad_alloc()).status, Status::memory_limit);
}

TEST(InProcess, AnAnswerOfTheWrongSizeIsAnError) {
  const Measurement wrong = solve_here(sliding(), answering(vector({1, 0})), one_sample());
  EXPECT_EQ(wrong.record.status, Status::error);
  EXPECT_EQ(wrong.answer.r.size(), 0);
}

TEST(InProcess, AStartOfTheWrongSizeIsTheCallersMistake) {
  EXPECT_THROW(solve_here(sliding(), answering(vector({1, -0.5, 0})), one_sample(), vector({1})),
               std::invalid_argument);
}

TEST(InProcess, ImpulsesFromAnywhereAreJudged) {
  const results::Record right = judge_impulse(sliding(), vector({1, -0.5, 0}), {});
  EXPECT_TRUE(right.solved.ncp.relative);
  EXPECT_FALSE(right.solved.ccp.relative) << "it slides and does not open";
  const results::Record never = judge_impulse(sliding(), vector({infinity, 0, 0}), {});
  EXPECT_FALSE(never.solved.ncp.relative);
}

TEST(InProcess, WithoutASolverThereIsNoModelOfItsOwn) {
  results::JudgeSettings settings;
  EXPECT_NO_THROW(check_without_solver(settings));
  settings.criterion = Criterion::native;
  EXPECT_THROW(check_without_solver(settings), std::invalid_argument);
  settings = {};
  settings.scale = Scale::force;
  EXPECT_THROW(check_without_solver(settings), std::invalid_argument);
}

}  // namespace
}  // namespace frictionbench::bench
