// What every registered solver must do, whatever it is, and so must the example of
// solvers/README.md. A new solver is tested here by being registered. What can be asked of any
// solver, foreign ones too, is in lib/frictionbench/bench/conformance/.

#include "frictionbench/bench/conformance/conformance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "frictionbench/bench/measure/blas.hpp"
#include "solvers/plugin/readme_example.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench {
namespace {

using test::vector;

class Conformance : public testing::TestWithParam<std::string> {
 protected:
  // As the program does: threads of OpenMP that other tests have started do not survive a fork.
  static void SetUpTestSuite() { bench::prepare_blas(); }

  ConfiguredSolver solver_ = test::solvers_with_readme_example().make(GetParam());

  static Limits limits(double tolerance = 1e-9) { return test::limits(tolerance); }

  // Contacts of this dimension.
  bool takes(int dimension) const {
    const SolverInfo& info = solver_.info();
    return info.contacts && (dimension == 2 ? info.two_dimensional : info.three_dimensional);
  }
};

// Those of `frictionbench conformance`, in child processes.
TEST_P(Conformance, PassesEveryCheck) {
  bench::conformance::Settings settings;
  settings.tolerance = 1e-9;
  const bench::conformance::Examination examination(solver_, settings);
  for (const bench::conformance::Check& check : bench::conformance::checks()) {
#ifdef __SANITIZE_ADDRESS__
    if (check.name == "time-limit") continue;  // a single iteration of 200 contacts takes longer
#endif
    const bench::conformance::Seen seen = examination.carry_out(check);
    EXPECT_NE(seen.finding, bench::conformance::Finding::fail) << check.name << ": " << seen.text;
  }
}

// A child process inherits what its parent has not printed yet.
TEST(ConformanceChecks, HoldNobodysOutputAgainstASolver) {
  const ConfiguredSolver solver = test::solvers_with_readme_example().make("ncp-pgs");
  const bench::conformance::Examination examination(solver, {});
  const auto& checks = bench::conformance::checks();
  const auto silent = std::ranges::find(checks, "silent", &bench::conformance::Check::name);
  ASSERT_NE(silent, checks.end());
  std::fputs("not flushed ", stdout);
  const bench::conformance::Seen seen = examination.carry_out(*silent);
  EXPECT_EQ(seen.finding, bench::conformance::Finding::pass) << seen.text;
}

TEST_P(Conformance, NoContactsIsSolved) {
  const ContactProblem problem(3, Vector(), LocalForm{SparseMatrix(0, 0), Vector()});
  const Result result = solver_.solver->solve(problem, limits());
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_EQ(result.stop_reason, StopReason::no_contacts);
  EXPECT_EQ(result.iterations, 0);
  EXPECT_EQ(result.r.size(), 0);
}

TEST_P(Conformance, ZeroDiagonalBlockIsRefusedOnlyAsDeclared) {
  Matrix W = Matrix::Identity(6, 6);
  W.diagonal().tail(3).setZero();
  const ContactProblem problem(3, vector({0.5, 0.5}),
                               LocalForm{test::sparse(W), vector({-1, 0, 0, 1, 0, 0})});
  EXPECT_EQ(solver_.solver->solve(problem, limits()).status,
            takes(3) && solver_.info().zero_diagonal ? Status::converged : Status::refused);
}

TEST_P(Conformance, KeepsItsLimits) {
  if (!takes(3)) GTEST_SKIP();
  const ContactProblem problem = test::random_problem(3, 10, 12, 22);
  Limits three = limits(1e-300);
  three.max_iterations = 3;
  const Result result = solver_.solver->solve(problem, three);
  EXPECT_EQ(result.status, Status::max_iterations);
  EXPECT_EQ(result.stop_reason, StopReason::iteration_limit);
  EXPECT_EQ(result.iterations, 3);
  EXPECT_EQ(result.r.size(), problem.unknowns()) << "the best answer comes back all the same";

  Limits late = limits(1e-300);
  late.deadline = std::chrono::steady_clock::now();
  const Result ended = solver_.solver->solve(problem, late);
  EXPECT_EQ(ended.status, Status::time_limit);
  EXPECT_EQ(ended.stop_reason, StopReason::time_limit);
}

TEST_P(Conformance, StartOfAnotherLengthIsRefused) {
  if (!takes(2)) GTEST_SKIP();
  Observer silent;
  const ContactProblem problem = test::random_problem(2, 4, 12, 23, 0.5);
  EXPECT_THROW(solver_.solver->solve(problem, limits(), Vector::Ones(5), silent),
               std::invalid_argument);
}

// A method that poses problems to another shows what the other's answers are worth, not its
// iterates.
TEST_P(Conformance, ObserverSeesSetupOnceAndIterationsInOrder) {
  if (!takes(3)) GTEST_SKIP();
  struct Counter final : Observer {
    void setup_finished() override { ++setups; }
    void iterated(const Iterate& iterate) override {
      EXPECT_EQ(setups, 1);
      EXPECT_GT(iterate.iteration, last);
      last = iterate.iteration;
      ++rows;
    }
    int setups = 0, last = 0, rows = 0;
  } counter;
  const Result result =
      solver_.solver->solve(test::random_problem(3, 4, 12, 24, 0.5), limits(), {}, counter);
  EXPECT_EQ(counter.setups, 1);
  EXPECT_EQ(counter.last, result.iterations);
  if (result.reported.contains("outer_iterations")) {
    EXPECT_EQ(counter.rows, result.reported.at("outer_iterations"));
  } else if (result.reported.contains("sweeps iterations")) {
    EXPECT_LE(counter.rows, result.iterations) << "a stage of sweeps judges some of them";
  } else if (result.work.pivots > 0) {
    EXPECT_LE(counter.rows, result.iterations) << "a pivoting method judges the start and answers";
  } else {
    EXPECT_EQ(counter.rows, result.iterations);
  }
}

TEST_P(Conformance, DescribesItself) {
  const Registry registry = test::solvers_with_readme_example();
  const RegisteredSolver& entry = registry.find(GetParam());
  EXPECT_FALSE(entry.info.summary.empty());
  EXPECT_FALSE(entry.info.sources.empty());
  for (const SettingDescription& setting : entry.settings) {
    EXPECT_FALSE(setting.help.empty()) << setting.name;
    EXPECT_FALSE(setting.source.empty()) << setting.name;
  }
  // Every default can be written out and read back.
  std::string spec = entry.info.name + "(";
  for (const SettingDescription& setting : entry.settings)
    spec += (spec.back() == '(' ? "" : ",") + setting.name + "=" + text_of(setting.default_value);
  EXPECT_EQ(registry.make(spec + ")").id, entry.info.name);
}

INSTANTIATE_TEST_SUITE_P(Solvers, Conformance, testing::ValuesIn(test::registered_names()),
                         test::solver_test_name);
INSTANTIATE_TEST_SUITE_P(Readme, Conformance, testing::Values("ccp-gradient"),
                         test::solver_test_name);

}  // namespace
}  // namespace frictionbench
