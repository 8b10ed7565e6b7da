#include "frictionbench/bench/plan/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <numeric>
#include <set>

#include "frictionbench/base/sha256.hpp"
#include "frictionbench/solvers/register_all.hpp"
#include "support/problem_folder.hpp"
#include "support/problems.hpp"
#include "support/scripted_solver.hpp"

namespace frictionbench::bench {
namespace {

using test::scripted;
using test::vector;
using testing::HasSubstr;

Result unused(const ContactProblem&) { return {}; }

class Planning : public testing::Test {
 protected:
  // Problems of quite different sizes, 2 to 40 contacts.
  void write_many(int number) {
    for (int k = 0; k < number; ++k)
      folder_.write("F/p" + std::to_string(k) + ".hdf5",
                    test::random_problem(3, 2 + (k * 7) % 39, 9, 1, 1));
  }
  Plan plan() { return make_plan(folder_.problems(), solvers_, options_); }

  test::ProblemFolder folder_;
  std::vector<ConfiguredSolver> solvers_{scripted("a", unused), scripted("b", unused)};
  PlanOptions options_;
};

// (problem, solver) pairs of a plan, by name.
std::multiset<std::pair<std::string, std::size_t>> pairs_of(const Plan& plan) {
  std::multiset<std::pair<std::string, std::size_t>> pairs;
  for (const ProblemPlan& problem : plan.problems)
    for (const auto& [solver, time] : problem.solvers) pairs.emplace(problem.source.id, solver);
  return pairs;
}

TEST_F(Planning, EverySolverOnEveryWantedProblem) {
  write_many(5);
  folder_.write("G/flat.hdf5", test::one_contact(vector({1, 1}), vector({-1, 3}), 0.5));
  EXPECT_EQ(plan().pairs(), 12u);
  options_.dimension = 3;
  EXPECT_EQ(plan().pairs(), 10u);
  EXPECT_EQ(plan().left_out, 1u);
  options_.max_contacts = 10;
  EXPECT_EQ(plan().problems.size(), 2u);  // 2 and 9 contacts
  EXPECT_EQ(plan().files.size(), 2u);
}

TEST_F(Planning, UnreadableFilesAreNamedWithTheirPlace) {
  write_many(2);
  std::ofstream(folder_.path() / "F/p0a.hdf5") << "nothing of the kind";
  const Plan with_broken = plan();
  ASSERT_EQ(with_broken.unreadable.size(), 1u);
  const auto& [position, file] = *with_broken.unreadable.begin();
  EXPECT_EQ(with_broken.files[position].path, file.path);
  EXPECT_EQ(with_broken.files[position].sha256, "") << "hashed without need";
  EXPECT_THAT(file.reason, HasSubstr("p0a.hdf5"));
  EXPECT_EQ(with_broken.pairs(), 4u);
}

TEST_F(Planning, ShardsAreAllOfThePlanAndNothingTwice) {
  write_many(23);
  const auto whole = pairs_of(plan());
  std::vector<std::string> whole_paths;
  for (const auto& file : plan().files) whole_paths.push_back(file.path);
  for (const int count : {1, 2, 8, 60}) {
    std::multiset<std::pair<std::string, std::size_t>> together;
    for (int number = 1; number <= count; ++number) {
      options_.shard = results::Shard{number, count};
      const Plan shard = plan();
      // The hashes are known where there are shards, because shares are recognised by them.
      std::vector<std::string> paths;
      for (const auto& file : shard.files) paths.push_back(file.path);
      EXPECT_EQ(paths, whole_paths);
      together.merge(pairs_of(shard));
    }
    EXPECT_EQ(together, whole) << count << " shards";
  }
}

TEST_F(Planning, ShardsTakeTheSameTime) {
  write_many(30);
  options_.measure.repeat_time = 0;
  std::vector<double> times;
  double longest = 0;
  for (int number = 1; number <= 4; ++number) {
    options_.shard = results::Shard{number, 4};
    const Plan shard = plan();
    times.push_back(shard.estimated_time());
    for (const ProblemPlan& problem : shard.problems)
      for (const auto& [solver, time] : problem.solvers) longest = std::max(longest, time);
  }
  // Graham's bound for list scheduling: no shard is longer than the mean by more than one pair.
  const double mean = std::accumulate(times.begin(), times.end(), 0.0) / 4;
  for (const double time : times) EXPECT_LE(time, mean + longest);
}

TEST_F(Planning, EarlierRunsTellTheCost) {
  write_many(1);
  const Plan first = plan();
  results::Document earlier;
  results::ProblemEntry entry;
  entry.id = "renamed/since";  // the file is known by its contents
  entry.sha256 = sha256_of_file(first.problems[0].source.path);
  earlier.problems.push_back(entry);
  results::Record record;
  record.problem = entry.id;
  record.solver = "a";
  record.time.solve = results::summarize({7.5});
  earlier.records.push_back(record);
  record.solver = "b";
  record.time.solve.reset();
  record.status = Status::refused;
  earlier.records.push_back(record);

  options_.costs = CostModel(earlier);
  const auto solvers = plan().problems[0].solvers;
  EXPECT_NEAR(solvers.at(0), 7.5, 0.1);
  EXPECT_LT(solvers.at(1), 0.2);
  options_.measure.time_limit = 2;
  EXPECT_LT(plan().problems[0].solvers.at(0), 2.2) << "no pair takes longer than its limit";
}

TEST_F(Planning, RefusalsAreKnownBeforehand) {
  write_many(1);
  folder_.write("F/flat.hdf5", test::one_contact(vector({1, 1}), vector({-1, 3}), 0.5));
  GlobalForm singular{test::sparse(Matrix::Zero(3, 3)), test::sparse(Matrix::Ones(3, 3)),
                      Vector::Zero(3), Vector::Zero(3)};
  folder_.write("F/singular.hdf5", ContactProblem(3, vector({0.5}), singular));
  folder_.write("F/stuck.hdf5", test::one_contact(vector({0, 1, 1}), vector({-1, 3, 0}), 0.5));
  solvers_ = {solvers::all_solvers().make("lcp-pgs"), solvers::all_solvers().make("ncp-admm")};
  Plan checked = plan();
  const auto refusals = find_refusals(checked, solvers_);
  ASSERT_EQ(refusals.size(), 1u);
  EXPECT_EQ(refusals[0].problem, "F/stuck");
  EXPECT_EQ(refusals[0].solver, solvers_[0].id);
  EXPECT_THAT(refusals[0].reason, HasSubstr("zero on its diagonal"));
  ASSERT_EQ(checked.unreadable.size(), 1u);
  EXPECT_THAT(checked.unreadable.begin()->second.reason, HasSubstr("M: is singular"));
  EXPECT_EQ(checked.problems.size(), 3u);
}

}  // namespace
}  // namespace frictionbench::bench
