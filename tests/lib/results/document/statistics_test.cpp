#include "frictionbench/results/document/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "frictionbench/results/document/summary.hpp"

namespace frictionbench::results {
namespace {

TEST(Statistics, ByHand) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_EQ(mean({1, 2, 6}), 3);
  EXPECT_DOUBLE_EQ(standard_deviation({1, 2, 6}), std::sqrt(7.0));
  EXPECT_EQ(standard_deviation({5}), 0);
  EXPECT_DOUBLE_EQ(shifted_geometric_mean({1, 100}, 0), 10);
  EXPECT_DOUBLE_EQ(shifted_geometric_mean({0, 3}, 1), 1);
  const SampleSummary summary = summarize({1, 2, 3, 4, 100});
  EXPECT_EQ(summary.min, 1);
  EXPECT_EQ(summary.median, 3);
  EXPECT_EQ(summary.mean, 22);
  EXPECT_EQ(summary.mad, 1);
  EXPECT_EQ(summary.samples, 5);
}

Record record(const std::string& problem, Status status, bool solved, double time, int iterations) {
  Record record;
  record.problem = problem;
  record.solver = "s";
  record.status = status;
  record.solved.ncp.absolute = solved;
  record.iterations = iterations;
  record.time.solve = SampleSummary{time, time, time, 0, 1};
  return record;
}

TEST(Summary, CountsByFamilyAndOverAll) {
  Document document;
  document.run.time_limit = 10;
  for (const char* id : {"A/1", "A/2", "B/1"}) {
    ProblemEntry problem;
    problem.id = id;
    problem.family = std::string(id).substr(0, 1);
    document.problems.push_back(problem);
  }
  document.solvers.push_back({"s", "s", ContactModel::ncp, true, {}});
  document.records = {record("A/1", Status::converged, true, 0.1, 10),
                      record("A/2", Status::wrong, false, 0.1, 99),
                      record("B/1", Status::converged, true, 0.2, 30)};
  const auto rows = summarize(document);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].family, "A");
  EXPECT_EQ(rows[0].problems, 2);
  EXPECT_EQ(rows[0].solved, 1);
  EXPECT_EQ(rows[0].wrong, 1);
  EXPECT_DOUBLE_EQ(*rows[0].time, shifted_geometric_mean({0.1, 10}, time_shift));
  EXPECT_EQ(rows[0].iterations->mean, 10) << "of solved problems only";
  EXPECT_EQ(rows[2].family, "all");
  EXPECT_EQ(rows[2].solved, 2);
  EXPECT_EQ(rows[2].iterations->mean, 20);
}

}  // namespace
}  // namespace frictionbench::results
