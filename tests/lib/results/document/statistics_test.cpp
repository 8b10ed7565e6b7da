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
  record.solved.ncp.relative = solved;
  record.iterations = iterations;
  record.time.solve = SampleSummary{time, time, time, 0, 1};
  record.time.cholesky = 0.05;
  return record;
}

// One solver, "s", on problems named family/number.
Document document_of(std::vector<Record> records) {
  Document document;
  document.run.time_limit = 10;
  for (const Record& record : records) {
    ProblemEntry problem;
    problem.id = record.problem;
    problem.family = record.problem.substr(0, 1);
    document.problems.push_back(problem);
  }
  document.solvers.push_back({"s", "s", ContactModel::ncp, true, {}});
  document.records = std::move(records);
  return document;
}

TEST(Summary, CountsByFamilyAndOverAll) {
  const auto rows = summarize(document_of({record("A/1", Status::converged, true, 0.1, 10),
                                           record("A/2", Status::wrong, false, 0.1, 99),
                                           record("B/1", Status::converged, true, 0.2, 30)}));
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].family, "A");
  EXPECT_EQ(rows[0].problems, 2);
  EXPECT_EQ(rows[0].solved, 1);
  EXPECT_EQ(rows[0].wrong, 1);
  EXPECT_DOUBLE_EQ(rows[0].time.value(), 0.1) << "of solved problems only, and no time limit";
  EXPECT_EQ(rows[0].iterations->mean, 10) << "of solved problems only";
  EXPECT_EQ(rows[2].family, "all");
  EXPECT_EQ(rows[2].solved, 2);
  EXPECT_EQ(rows[2].iterations->mean, 20);
  EXPECT_DOUBLE_EQ(rows[2].time.value(), shifted_geometric_mean({0.1, 0.2}, time_shift));
  EXPECT_DOUBLE_EQ(rows[2].cholesky_equivalents.value(), std::sqrt(2.0 * 4.0));
}

TEST(Summary, NothingSolvedHasNoTime) {
  const Document document = document_of({record("A/1", Status::time_limit, false, 10, 5)});
  const SummaryRow row = summarize(document).at(0);
  EXPECT_EQ(row.timed_out, 1);
  EXPECT_FALSE(row.time);
  EXPECT_FALSE(row.cholesky_equivalents);
  EXPECT_FALSE(samples_of_solved(document));
}

TEST(Summary, WhatIsNotRepeatableIsNotSolved) {
  const Document document = document_of({record("A/1", Status::not_repeatable, true, 1e-9, 5),
                                         record("A/2", Status::converged, true, 0.1, 5)});
  const SummaryRow row = summarize(document).at(0);
  EXPECT_EQ(row.solved, 1);
  EXPECT_EQ(row.failed, 1);
  EXPECT_DOUBLE_EQ(row.time.value(), 0.1);
}

TEST(Summary, LargestCreepLiftAndModelGap) {
  const auto with_verdict = [](const std::string& problem, bool native, double creep, double lift) {
    Record made = record(problem, Status::other_model, false, 0.1, 1);
    made.solved.native.relative = native;
    made.verdict.emplace();
    made.verdict->creep = creep;
    made.verdict->lift = lift;
    made.own_model.emplace();
    made.own_model->gap = 10 * creep;
    return made;
  };
  const SummaryRow row =
      summarize(document_of({with_verdict("A/1", true, 1, 4), with_verdict("A/2", true, 3, 2),
                             with_verdict("A/3", false, 7, 9)}))
          .at(0);
  EXPECT_EQ(row.other_model, 3);
  EXPECT_EQ(row.creep, 3) << "of answers that solve some model";
  EXPECT_EQ(row.lift, 4);
  EXPECT_EQ(row.model_gap, 70) << "of every answer that has a model of its own";
}

TEST(Summary, SamplesOfSolvedProblems) {
  Document document = document_of({record("A/1", Status::converged, true, 0.1, 1),
                                   record("A/2", Status::converged, true, 0.1, 1),
                                   record("A/3", Status::stalled, false, 0.1, 1)});
  document.records[1].time.solve->samples = 12;
  document.records[2].time.solve->samples = 99;
  const auto samples = samples_of_solved(document);
  ASSERT_TRUE(samples);
  EXPECT_EQ(samples->fewest, 1);
  EXPECT_EQ(samples->most, 12);
}

}  // namespace
}  // namespace frictionbench::results
