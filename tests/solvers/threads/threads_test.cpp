// Solver::solve may be called from any thread: several threads solve at the same time, and each gets
// what a single one gets. The preset `tsan` builds these tests with the thread sanitizer.

#include <gtest/gtest.h>

#include <exception>
#include <latch>
#include <random>
#include <thread>
#include <vector>

#include "frictionbench/solvers/register_all.hpp"
#include "support/problems.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench {
namespace {

constexpr std::size_t threads = 4;

// Problems compute what they are asked for at the first request, and copies share it: each call
// makes problems that have not been asked yet.
std::vector<ContactProblem> untouched_problems() {
  return {test::random_problem(3, 6, 18, 1, 0.5), test::random_global_problem(3, 4, 3, 2),
          test::random_problem(2, 6, 12, 3, 0.5)};
}

Result solve(const ConfiguredSolver& configured, const ContactProblem& problem) {
  Limits limits;
  limits.tolerance = 1e-8;
  limits.max_iterations = 200;
  return configured.solver->solve(problem, limits);
}

// Calls work(k) in thread k for k < count, all at the same time.
template <class Work>
void run_concurrently(std::size_t count, const Work& work) {
  std::latch start(static_cast<std::ptrdiff_t>(count));
  std::vector<std::exception_ptr> failures(count);
  {
    std::vector<std::jthread> running;
    for (std::size_t k = 0; k < count; ++k) {
      running.emplace_back([&, k] {
        start.arrive_and_wait();
        try {
          work(k);
        } catch (...) {
          failures[k] = std::current_exception();
        }
      });
    }
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

void expect_same(const Result& result, const Result& expected) {
  EXPECT_EQ(result.status, expected.status) << result.message;
  EXPECT_EQ(result.iterations, expected.iterations);
  ASSERT_EQ(result.r.size(), expected.r.size());
  EXPECT_EQ(result.r, expected.r);
}

class Threads : public testing::TestWithParam<std::string> {};

TEST_P(Threads, ShareSolverAndProblems) {
  const ConfiguredSolver solver = solvers::all_solvers().make(GetParam());
  std::vector<Result> expected;
  for (const ContactProblem& problem : untouched_problems()) {
    expected.push_back(solve(solver, problem));
  }

  const std::vector<ContactProblem> shared = untouched_problems();
  std::vector<std::vector<Result>> results(threads);
  run_concurrently(threads, [&](std::size_t k) {
    for (const ContactProblem& problem : shared) results[k].push_back(solve(solver, problem));
  });
  for (const std::vector<Result>& of_thread : results) {
    for (std::size_t i = 0; i < expected.size(); ++i) expect_same(of_thread[i], expected[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, Threads, testing::ValuesIn(test::registered_names()),
                         test::solver_test_name);

// Bodies in a row, each in contact with the next one.
ContactProblem row_of_bodies(Index bodies) {
  std::mt19937 generator(7);
  Matrix M = Matrix::Identity(6 * bodies, 6 * bodies);
  const Index contacts = bodies - 1;
  Matrix H = Matrix::Zero(6 * bodies, 3 * contacts);
  for (Index i = 0; i < contacts; ++i) {
    M.diagonal().segment(6 * i, 6).setConstant(1 + static_cast<double>(i % 3));
    H.block(6 * i, 3 * i, 12, 3) = test::random_matrix(12, 3, generator);
  }
  return {
      3, Vector::Constant(contacts, 0.5),
      GlobalForm{test::sparse(M), test::sparse(H), test::random_matrix(6 * bodies, 1, generator),
                 test::random_matrix(3 * contacts, 1, generator)}};
}

class OwnThreads : public testing::TestWithParam<std::string> {};

TEST_P(OwnThreads, ChangeNothing) {
  const auto solver = [](const std::string& number) {
    return solvers::all_solvers().make(
        GetParam() + "(form=global,order=colours,momentum=true,threads=" + number + ")");
  };
  const ContactProblem problem = row_of_bodies(40);
  const Result expected = solve(solver("1"), problem);
  for (const char* several : {"2", "3", "4"})
    expect_same(solve(solver(several), problem), expected);
}

INSTANTIATE_TEST_SUITE_P(Solvers, OwnThreads,
                         testing::Values("ncp-nsgs", "ncp-pgs", "ccp-pgs", "lcp-pgs",
                                         "rolling-nsgs"),
                         test::solver_test_name);

TEST(ThreadsOfDifferentSolvers, ShareProblems) {
  std::vector<ConfiguredSolver> all;
  for (const std::string& name : test::registered_names()) {
    all.push_back(solvers::all_solvers().make(name));
  }
  const ContactProblem alone = untouched_problems().front();
  std::vector<Result> expected;
  for (const ConfiguredSolver& solver : all) expected.push_back(solve(solver, alone));

  const ContactProblem shared = untouched_problems().front();
  std::vector<Result> results(all.size());
  run_concurrently(all.size(), [&](std::size_t k) { results[k] = solve(all[k], shared); });
  for (std::size_t k = 0; k < all.size(); ++k) {
    SCOPED_TRACE(all[k].id);
    expect_same(results[k], expected[k]);
  }
}

}  // namespace
}  // namespace frictionbench
