// What every registered solver must do, whatever it is, and so must the example of
// solvers/README.md. A new solver is tested here by being registered.

#include <gtest/gtest.h>

#include <cmath>

#include "frictionbench/criteria/verdict.hpp"
#include "solvers/plugin/readme_example.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench {
namespace {

using test::one_contact;
using test::vector;

class Conformance : public testing::TestWithParam<std::string> {
 protected:
  ConfiguredSolver solver_ = test::solvers_with_readme_example().make(GetParam());

  static Limits limits(double tolerance = 1e-9) { return test::limits(tolerance); }

  // What the solver's own model leaves, with the compliance that it chose.
  double own_residual(const ContactProblem& problem, const Result& result) const {
    const ContactProblem own =
        result.compliance.size() > 0 ? problem.with_compliance(result.compliance) : problem;
    return judge(own, result.r).residuals(solver_.info().model).max();
  }

  // Solves a problem whose answer is known, and expects it, confirmed by the verdict under the
  // solver's own model. One that is not exact comes near, and must say why: by its status, or by
  // the compliance that it solved the problem with.
  void expect_answer(const ContactProblem& problem, const Vector& known) const {
    const Result result = solver_.solver->solve(problem, limits());
    ASSERT_EQ(result.r.size(), problem.unknowns());
    const double error = (result.r - known).norm();
    if (!solver_.info().exact && result.status == Status::inaccurate) {
      EXPECT_FALSE(result.message.empty());
      EXPECT_LE(error, 0.15 * known.norm());
      return;
    }
    EXPECT_EQ(result.status, Status::converged) << result.message;
    EXPECT_LE(own_residual(problem, result), 1e-8);
    EXPECT_LE(error, result.compliance.size() > 0 ? 0.15 * known.norm() : 1e-8);
  }

  // The same for a problem that an inexact solver may miss the answer of; then it must say so.
  void expect_solved_if_exact(const ContactProblem& problem, double tolerance = 1e-9,
                              const Vector& start = {}) const {
    Observer silent;
    const Result result = solver_.solver->solve(problem, limits(tolerance), start, silent);
    if (!solver_.info().exact && result.status == Status::inaccurate) {
      EXPECT_FALSE(result.message.empty());
      return;
    }
    EXPECT_EQ(result.status, Status::converged) << result.message;
    ASSERT_EQ(result.r.size(), problem.unknowns());
    EXPECT_LE(own_residual(problem, result), 10 * tolerance);
  }

  bool takes(int dimension) const {
    return dimension == 2 ? solver_.info().two_dimensional : solver_.info().three_dimensional;
  }
};

TEST_P(Conformance, EveryContactStateOfOneContact) {
  for (const int dim : {2, 3}) {
    if (!takes(dim)) continue;
    SCOPED_TRACE(dim);
    const Vector W = Vector::Constant(dim, 2);
    Vector q = Vector::Zero(dim);

    q[0] = 1;
    expect_answer(one_contact(W, q, 0.5), Vector::Zero(dim));  // take-off

    q[0] = -1;
    q[1] = 0.1;
    expect_answer(one_contact(W, q, 0.5), -q / 2);  // stick

    // slide: at the Coulomb limit, against the slip; 2 r_N = 1, but where the CCP lifts the contact
    // off, 2 r_N - 1 = 0.5 (10 - r_N)
    q[1] = 10;
    Vector sliding = Vector::Zero(dim);
    sliding[0] = solver_.info().model == ContactModel::ccp ? 2.4 : 0.5;
    sliding[1] = -0.5 * sliding[0];
    expect_answer(one_contact(W, q, 0.5), sliding);

    expect_answer(one_contact(W, q, 0), 0.5 * Vector::Unit(dim, 0));  // frictionless
  }
}

TEST_P(Conformance, SlidingDirectionIsFree) {
  if (!takes(3) || solver_.info().model == ContactModel::lcp) GTEST_SKIP();
  for (int k = 0; k < 8; ++k) {
    const double angle = 0.3 + k;
    const Vector slip = vector({std::cos(angle), std::sin(angle)});
    const Vector q = vector({-1, 10 * slip[0], 10 * slip[1]});
    const double normal =  // r_N = 1, or r_N - 1 = 0.3 (10 - 0.3 r_N)
        solver_.info().model == ContactModel::ccp ? 4 / 1.09 : 1;
    expect_answer(one_contact(vector({1, 1, 1}), q, 0.3),
                  normal * vector({1, -0.3 * slip[0], -0.3 * slip[1]}));
  }
}

TEST_P(Conformance, CoupledContacts) {
  for (const int dim : {2, 3}) {
    if (!takes(dim)) continue;
    for (std::uint32_t seed = 0; seed < 5; ++seed) {
      SCOPED_TRACE(seed);
      expect_solved_if_exact(test::random_problem(dim, 4, 4 * dim, seed, 0.5));
    }
  }
}

TEST_P(Conformance, ReducedGlobalProblem) {
  if (!takes(3)) GTEST_SKIP();
  expect_solved_if_exact(test::random_global_problem(3, 2, 4, 3), 1e-6);
}

// Real files differ from their transpose by up to 1e-2.
TEST_P(Conformance, AsymmetricMatrixIsSolvedAsGiven) {
  for (const int dim : {2, 3}) {
    if (!takes(dim)) continue;
    const ContactProblem symmetric = test::random_problem(dim, 4, 4 * dim, 9, 1);
    Matrix W = symmetric.local().W;
    W += 0.01 * Matrix(W.triangularView<Eigen::StrictlyUpper>());
    expect_solved_if_exact(
        ContactProblem(dim, symmetric.mu(), LocalForm{test::sparse(W), symmetric.local().q}));
  }
}

TEST_P(Conformance, NoContactsIsSolved) {
  const ContactProblem problem(3, Vector(), LocalForm{SparseMatrix(0, 0), Vector()});
  const Result result = solver_.solver->solve(problem, limits());
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_EQ(result.stop_reason, StopReason::no_contacts);
  EXPECT_EQ(result.iterations, 0);
  EXPECT_EQ(result.r.size(), 0);
}

TEST_P(Conformance, BilateralRowsAreUsedOrRefused) {
  LocalBilateral rows{test::sparse(Matrix::Ones(3, 1)), test::sparse(Matrix::Ones(1, 1)),
                      Vector::Zero(1)};
  const ContactProblem problem(
      3, vector({0.5}), LocalForm{test::sparse(Matrix::Identity(3, 3)), vector({-1, 0, 0})}, rows);
  const Result result = solver_.solver->solve(problem, limits());
  if (solver_.info().bilateral_rows) return;
  EXPECT_EQ(result.status, Status::refused);
  EXPECT_NE(result.message.find("bilateral"), std::string::npos) << result.message;
}

TEST_P(Conformance, ZeroDiagonalBlockIsSolvedOrRefused) {
  Matrix W = Matrix::Identity(6, 6);
  W.diagonal().tail(3).setZero();
  const ContactProblem problem(3, vector({0.5, 0.5}),
                               LocalForm{test::sparse(W), vector({-1, 0, 0, 1, 0, 0})});
  const Result result = solver_.solver->solve(problem, limits());
  if (solver_.info().zero_diagonal) {
    EXPECT_EQ(result.status, Status::converged);
    EXPECT_LE(judge(problem, result.r).residuals(solver_.info().model).max(), 1e-8);
  } else {
    EXPECT_EQ(result.status, Status::refused);
    EXPECT_NE(result.message.find("contact 1"), std::string::npos) << result.message;
  }
}

// Between bodies that cannot move in these directions: contact 1 not at all, contact 2 only along its
// normal, so that it slides whatever the impulse.
TEST_P(Conformance, DirectionsThatNoImpulseMovesAreSolvedOrRefused) {
  for (const int dim : {2, 3}) {
    if (!takes(dim)) continue;
    for (std::uint32_t seed = 0; seed < 5; ++seed) {
      SCOPED_TRACE(seed);
      const ContactProblem whole = test::random_problem(dim, 4, 4 * dim, seed, 0.5);
      Matrix W = whole.local().W;
      Vector q = whole.local().q;
      const auto fix = [&](Index first, Index count, double velocity) {
        W.middleRows(first, count).setZero();
        W.middleCols(first, count).setZero();
        q.segment(first, count).setConstant(velocity);
      };
      fix(dim, dim, 0);
      q[dim] = 0.3;
      fix(2 * dim + 1, dim - 1, 0.2);
      const ContactProblem problem(dim, whole.mu(), LocalForm{test::sparse(W), std::move(q)});
      if (solver_.info().zero_diagonal)
        expect_solved_if_exact(problem);
      else
        EXPECT_EQ(solver_.solver->solve(problem, limits()).status, Status::refused);
    }
  }
}

TEST_P(Conformance, RepeatsExactly) {
  if (!takes(3)) GTEST_SKIP();
  const ContactProblem problem = test::random_problem(3, 8, 15, 21);
  Limits few = limits(1e-8);
  few.max_iterations = 500;
  const Result first = solver_.solver->solve(problem, few);
  const Result second = solver_.solver->solve(problem, few);
  EXPECT_EQ(first.status, second.status);
  EXPECT_EQ(first.iterations, second.iterations);
  EXPECT_EQ(first.work, second.work);
  EXPECT_EQ(first.reported, second.reported);
  EXPECT_EQ(first.r, second.r);
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

TEST_P(Conformance, StartsFromAGuess) {
  if (!takes(3)) GTEST_SKIP();
  const ContactProblem problem = test::random_problem(3, 4, 12, 23, 0.5);
  Observer silent;
  const Result cold = solver_.solver->solve(problem, limits(1e-10));
  const Result warm = solver_.solver->solve(problem, limits(1e-6), cold.r, silent);
  EXPECT_EQ(warm.status, solver_.info().exact ? Status::converged : cold.status);
  EXPECT_LE(warm.iterations, cold.iterations);
  EXPECT_THROW(solver_.solver->solve(problem, limits(), Vector::Ones(5), silent),
               std::invalid_argument);
}

TEST_P(Conformance, StartsFromAnyImpulse) {
  for (const int dim : {2, 3}) {
    if (!takes(dim)) continue;
    const ContactProblem problem = test::random_problem(dim, 4, 4 * dim, 0, 0.5);
    // in and far outside of the cones, pulling contacts among them
    Vector start(problem.unknowns());
    for (Index k = 0; k < start.size(); ++k) start[k] = 10 * std::sin(static_cast<double>(3 * k));
    expect_solved_if_exact(problem, 1e-9, start);
  }
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
