#include "frictionbench/solver/batch.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/registered_solvers.hpp"
#include "support/scripted_solver.hpp"

namespace frictionbench {
namespace {

using test::limits;

std::vector<ContactProblem> problems() {
  std::vector<ContactProblem> problems;
  for (std::uint32_t seed = 1; seed <= 40; ++seed)
    problems.push_back(test::random_problem(3, 1 + seed % 9, 30, seed, 0.1));
  return problems;
}

TEST(Batch, HasTheResultsOfSingleSolvesWithAnyNumberOfThreads) {
  const auto solver = test::solver("ncp-hybrid");
  const std::vector<ContactProblem> all = problems();
  std::vector<BatchedSolve> batch;
  for (const ContactProblem& problem : all) {
    batch.push_back({&problem, limits(1e-8), {}});
    if (batch.size() % 3 == 0) batch.back().start = Vector::Ones(problem.unknowns());
  }
  std::vector<Result> results;
  for (const int threads : {1, 2, 3, 100}) {
    results = solve_batch(*solver, batch, threads, std::move(results));
    ASSERT_EQ(results.size(), all.size());
    for (std::size_t k = 0; k < all.size(); ++k) {
      Observer silent;
      const Result alone = solver->solve(all[k], batch[k].limits, batch[k].start, silent);
      EXPECT_EQ(results[k].r, alone.r);
      EXPECT_EQ(results[k].iterations, alone.iterations);
      EXPECT_EQ(results[k].work, alone.work);
      EXPECT_EQ(results[k].reported, alone.reported);
      EXPECT_EQ(results[k].stage, alone.stage);
    }
  }
}

TEST(Batch, KeepsWhatASolverThrowsApart) {
  const ConfiguredSolver picky =
      test::scripted("picky", [](const ContactProblem& problem) -> Result {
        if (problem.contacts() == 2) throw std::runtime_error("not two");
        Result result;
        result.status = Status::converged;
        return result;
      });
  const std::vector<ContactProblem> all = problems();
  std::vector<BatchedSolve> batch;
  for (const ContactProblem& problem : all) batch.push_back({&problem, limits(1e-8), {}});
  const std::vector<Result> results = solve_batch(*picky.solver, batch, 2);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const bool fails = all[k].contacts() == 2;
    EXPECT_EQ(results[k].status, fails ? Status::error : Status::converged);
    EXPECT_EQ(results[k].message, fails ? "not two" : "");
  }
}

TEST(Batch, MayBeEmpty) { EXPECT_TRUE(solve_batch(*test::solver("ncp-pgs"), {}, 4).empty()); }

}  // namespace
}  // namespace frictionbench
