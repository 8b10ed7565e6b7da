#include "frictionbench/results/compare/comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "frictionbench/results/document/json.hpp"

namespace frictionbench::results {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Record solved_record(const std::string& problem, const std::string& solver, int iterations) {
  Record record;
  record.problem = problem;
  record.solver = solver;
  record.status = Status::converged;
  record.solved.ncp.relative = true;
  record.verdict = Verdict{};
  record.verdict->ncp.relative = 1e-8;
  record.iterations = iterations;
  record.time.solve = SampleSummary{1, 1, 1, 0, 6, {1.0, 1.01, 0.99, 1.02, 0.98, 1.0}};
  return record;
}

void fail(Record& record, Status status, double residual = 1) {
  record.status = status;
  record.solved = {};
  record.verdict->ncp.relative = residual;
}

// Three problems, each given to solver "s"; all solved in 100 iterations.
Document document() {
  Document document;
  document.run.host.cpu = "Example CPU";
  for (const char* id : {"F/a", "F/b", "F/c"}) {
    ProblemEntry problem;
    problem.id = id;
    problem.sha256 = std::string("content of ") + id;
    problem.family = "F";
    document.problems.push_back(problem);
    document.records.push_back(solved_record(id, "s", 100));
  }
  document.solvers.push_back({"s", "s", ContactModel::ncp, true, {{"relaxation", 1.0}}});
  return document;
}

// What became of the first pair if the candidate's record is changed so.
template <typename Edit>
PairComparison after(Edit edit, const ComparisonRules& rules = {}) {
  Document candidate = document();
  edit(candidate.records[0]);
  const Comparison comparison = compare(document(), candidate, {.rules = rules});
  for (const PairComparison& pair : comparison.pairs)
    if (pair.problem == "F/a") return pair;
  throw std::logic_error("the pair is missing");
}

std::vector<std::string> differing(const PairComparison& pair) {
  std::vector<std::string> names;
  for (const Difference& difference : pair.differences) names.push_back(difference.what);
  return names;
}

TEST(Comparison, OfADocumentWithItselfIsEmpty) {
  const Document both = document();
  const Comparison comparison = compare(both, both, {});
  EXPECT_EQ(comparison.counts, (ChangeCounts{.same = 3}));
  EXPECT_FALSE(comparison.regressed());
  EXPECT_THAT(comparison.notes, ElementsAre());
}

TEST(Comparison, NoLongerSolvedIsWorseUnderAllRules) {
  ComparisonRules lax;
  for (CounterRule& counter : lax.counters) counter.allowance.reset();
  lax.residual.reset();
  lax.time.reset();
  const auto pair = after([](Record& r) { fail(r, Status::max_iterations); }, lax);
  EXPECT_EQ(pair.change, Change::worse);
  EXPECT_THAT(differing(pair), ElementsAre("solved"));
  EXPECT_EQ(pair.candidate->residual, 1);
}

TEST(Comparison, StatusesOfUnsolvedProblems) {
  const auto change = [](Status before, Status now) {
    Document baseline = document(), candidate = document();
    fail(baseline.records[0], before);
    fail(candidate.records[0], now);
    return compare(baseline, candidate, {}).pairs[0].change;
  };
  for (const Status bad : {Status::crashed, Status::error, Status::memory_limit, Status::wrong,
                           Status::not_repeatable}) {
    EXPECT_EQ(change(Status::max_iterations, bad), Change::worse) << name(bad);
    EXPECT_EQ(change(bad, Status::stalled), Change::better) << name(bad);
  }
  EXPECT_EQ(change(Status::max_iterations, Status::stalled), Change::changed);
  EXPECT_EQ(change(Status::crashed, Status::error), Change::changed);
  EXPECT_EQ(change(Status::stalled, Status::stalled), Change::same);
}

TEST(Comparison, CountersAreExactUnlessAllowed) {
  ComparisonRules rules;
  const auto with = [&](int iterations) {
    return after([&](Record& r) { r.iterations = iterations; }, rules);
  };
  EXPECT_EQ(with(101).change, Change::worse);
  EXPECT_DOUBLE_EQ(with(137).differences.at(0).ratio, 1.37);
  EXPECT_EQ(with(99).change, Change::better);

  rules.counters[0].allowance = 10;
  EXPECT_EQ(with(110).change, Change::same);
  EXPECT_EQ(with(111).change, Change::worse);
  EXPECT_EQ(with(90).change, Change::same);
  EXPECT_EQ(with(89).change, Change::better);

  rules.counters[0].allowance.reset();
  EXPECT_EQ(with(100000).change, Change::same);
}

TEST(Comparison, EveryCounterIsJudged) {
  const auto check = [](const std::string& name, auto change) {
    const auto pair = after([&](Record& r) { change(r.work); });
    EXPECT_EQ(pair.change, Change::worse);
    EXPECT_THAT(differing(pair), ElementsAre(name));
    EXPECT_TRUE(std::isinf(pair.differences.at(0).ratio)) << "from none";
  };
  check("cholesky", [](WorkCounters& work) { work.factorizations.cholesky = 5; });
  check("lu", [](WorkCounters& work) { work.factorizations.lu = 5; });
  check("ldlt", [](WorkCounters& work) { work.factorizations.ldlt = 5; });
  check("analyses", [](WorkCounters& work) { work.analyses = 5; });
  check("triangular_solves", [](WorkCounters& work) { work.triangular_solves = 5; });
  check("products", [](WorkCounters& work) { work.products = 5; });
  check("sweeps", [](WorkCounters& work) { work.sweeps = 5; });
  check("pivots", [](WorkCounters& work) { work.pivots = 5; });
  check("line_search", [](WorkCounters& work) { work.line_search = 5; });
}

TEST(Comparison, SumsOfFactorizationsAreComparedWhereOneSideHasNoKinds) {
  Document baseline = document(), candidate = document();
  baseline.records[0].work.factorizations.unspecified = 7;
  candidate.records[0].work.factorizations = {.cholesky = 3, .lu = 4};
  EXPECT_EQ(compare(baseline, candidate, {}).counts.same, 3);
  candidate.records[0].work.factorizations.lu = 5;
  const auto worse = compare(baseline, candidate, {});
  EXPECT_THAT(differing(worse.pairs.at(0)), ElementsAre("factorizations"));
  EXPECT_DOUBLE_EQ(worse.pairs[0].differences[0].candidate, 8);
}

TEST(Comparison, CountersOfWhatTheClockStoppedSayNothing) {
  Document baseline = document(), candidate = document();
  fail(baseline.records[0], Status::time_limit);
  fail(candidate.records[0], Status::time_limit, 1e6);
  candidate.records[0].iterations = 7;
  EXPECT_EQ(compare(baseline, candidate, {}).counts.same, 3);
}

TEST(Comparison, MoreOfOneAndLessOfAnotherIsWorse) {
  const auto pair = after([](Record& r) {
    r.iterations = 1;
    r.work.products = 1;
  });
  EXPECT_EQ(pair.change, Change::worse);
  EXPECT_THAT(differing(pair), ElementsAre("products", "iterations"))
      << "what made it worse comes first";
}

TEST(Comparison, ResidualsAreJudgedByTheFactorAboveTheFloor) {
  const auto with = [](double residual) {
    return after([&](Record& r) { r.verdict->ncp.relative = residual; }).change;
  };
  EXPECT_EQ(with(0.99e-7), Change::same) << "the baseline has 1e-8";
  EXPECT_EQ(with(1.01e-7), Change::worse);
  EXPECT_EQ(with(1.01e-9), Change::same);
  EXPECT_EQ(with(0.99e-9), Change::same) << "below a thousandth of the tolerance is round-off";
  EXPECT_EQ(with(0), Change::same);

  Document baseline = document(), candidate = document();
  fail(baseline.records[0], Status::stalled, 1e-3);
  fail(candidate.records[0], Status::stalled, std::nan(""));
  EXPECT_EQ(compare(baseline, candidate, {}).counts.worse, 1) << "not a number";
  EXPECT_EQ(compare(candidate, baseline, {}).counts.better, 1);
}

TEST(Comparison, ResidualsAreThoseOfTheCriterion) {
  Document baseline = document(), candidate = document();
  for (Document* d : {&baseline, &candidate}) {
    d->run.scale = Scale::scaled;
    for (Record& r : d->records) {
      r.solved.ncp.scaled = true;
      r.verdict->ncp.primal = 1e-8;
    }
  }
  candidate.records[0].verdict->ncp.primal = 1e-6;
  EXPECT_EQ(compare(baseline, candidate, {}).counts.worse, 1);
  candidate.records[0].verdict->scale.impulse = 100;
  EXPECT_EQ(compare(baseline, candidate, {}).counts.same, 3) << "the scale grew along";
}

TEST(Comparison, LostAndNewPairs) {
  Document candidate = document();
  candidate.records.pop_back();
  candidate.solvers.push_back({"t", "t", ContactModel::ncp, true, {}});
  candidate.records.push_back(solved_record("F/a", "t", 5));
  const Comparison comparison = compare(document(), candidate, {});
  EXPECT_EQ(comparison.counts, (ChangeCounts{.lost = 1, .added = 1, .same = 2}));
  EXPECT_TRUE(comparison.regressed());
  EXPECT_EQ(comparison.pairs[0].change, Change::lost);
  EXPECT_EQ(comparison.pairs[0].problem, "F/c");
  EXPECT_FALSE(comparison.pairs[0].candidate);

  ComparisonRules lenient;
  lenient.lost_is_worse = false;
  EXPECT_FALSE(compare(document(), candidate, {.rules = lenient}).regressed());
}

TEST(Comparison, ProblemsArePairedByContent) {
  Document candidate = document();
  candidate.problems[0].id = candidate.records[0].problem = "Renamed/x";
  EXPECT_EQ(compare(document(), candidate, {}).counts.same, 3);

  candidate.problems[0].sha256 = candidate.problems[1].sha256;  // two names of one content
  EXPECT_EQ(compare(document(), candidate, {}).counts,
            (ChangeCounts{.lost = 1, .added = 1, .same = 2}));

  candidate = document();
  candidate.problems[2].sha256 = "edited";
  const Comparison edited = compare(document(), candidate, {});
  EXPECT_EQ(edited.counts, (ChangeCounts{.lost = 1, .added = 1, .same = 2}));
  EXPECT_THAT(edited.notes, ElementsAre(HasSubstr("F/c")));
}

TEST(Comparison, SolversArePairedBySettingsThenByName) {
  Document candidate = document();
  candidate.solvers[0].id = "s(relaxation=1)";
  for (Record& record : candidate.records) record.solver = candidate.solvers[0].id;
  EXPECT_EQ(compare(document(), candidate, {}).counts.same, 3) << "said otherwise, set the same";

  candidate = document();
  candidate.solvers[0].settings = {{"relaxation", 1.5}};
  const Comparison other_default = compare(document(), candidate, {});
  EXPECT_EQ(other_default.counts.same, 3);
  EXPECT_THAT(other_default.notes, ElementsAre(HasSubstr("relaxation 1.0 -> 1.5")));
}

TEST(Comparison, ChosenSolversAreComparedAndNoOthers) {
  Document both = document();
  both.solvers.push_back({"t", "t", ContactModel::ncp, true, {{"relaxation", 1.5}}});
  both.records.push_back(solved_record("F/a", "t", 50));
  both.records.push_back(solved_record("F/b", "t", 200));
  const Comparison comparison = compare(both, both, {.solvers = {{"s", "t"}}});
  EXPECT_EQ(comparison.counts, (ChangeCounts{.worse = 1, .better = 1, .lost = 1}));
  EXPECT_EQ(comparison.solvers.at(0).solver, "s -> t");
  EXPECT_THROW(compare(both, both, {.solvers = {{"s", "u"}}}), std::invalid_argument);
}

TEST(Comparison, WorstFirst) {
  Document baseline = document(), candidate = document();
  for (const char* id : {"F/d", "F/e", "F/f"}) {
    ProblemEntry problem;
    problem.id = problem.sha256 = id;
    for (Document* d : {&baseline, &candidate}) {
      d->problems.push_back(problem);
      d->records.push_back(solved_record(id, "s", 100));
    }
  }
  candidate.records[0].iterations = 50;
  candidate.records[1].iterations = 110;
  candidate.records[2].iterations = 300;
  fail(baseline.records[3], Status::stalled);
  fail(candidate.records[3], Status::crashed);
  fail(candidate.records[4], Status::stalled);
  candidate.records.pop_back();
  const Comparison comparison = compare(baseline, candidate, {});
  std::vector<std::string> order;
  for (const PairComparison& pair : comparison.pairs) order.push_back(pair.problem);
  EXPECT_THAT(order, ElementsAre("F/e", "F/d", "F/f", "F/c", "F/b", "F/a"));
  EXPECT_DOUBLE_EQ(comparison.solvers.at(0).median_ratios.at("iterations"), 1.1);
}

// In sequences, what comes before a problem depends on which problems were run and how they ended.
TEST(Comparison, OfPairsThatStartedElsewhereOnlyTheOutcomeCounts) {
  const auto started = [](Document& document, Start start, const std::string& previous) {
    document.records[1].start = start;
    document.records[1].previous = previous;
    return document;
  };
  Document baseline = document(), candidate = document();
  started(baseline, Start::previous, "F/a");
  candidate.records[1].iterations = 300;
  const auto compared = [&] { return compare(baseline, candidate, {}); };

  started(candidate, Start::zero, "");
  EXPECT_EQ(compared().counts, (ChangeCounts{.same = 3}));
  EXPECT_THAT(compared().notes, ElementsAre(HasSubstr("1 pairs started from different impulses")));
  started(candidate, Start::previous, "F/c");
  EXPECT_EQ(compared().counts, (ChangeCounts{.same = 3}));
  fail(candidate.records[1], Status::max_iterations);
  EXPECT_EQ(compared().counts, (ChangeCounts{.worse = 1, .same = 2}));

  candidate.records[1] = solved_record("F/b", "s", 300);
  started(candidate, Start::previous, "F/a");
  EXPECT_EQ(compared().counts, (ChangeCounts{.worse = 1, .same = 2}));
  EXPECT_THAT(compared().notes, ElementsAre());
}

TEST(Comparison, OtherConditionsAreNotComparable) {
  const auto reason = [](auto edit) -> std::string {
    Document candidate = document();
    edit(candidate);
    try {
      compare(document(), candidate, {});
    } catch (const NotComparable& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(reason([](Document& d) { d.run.criterion = Criterion::ccp; }),
              HasSubstr("criterion"));
  EXPECT_THAT(reason([](Document& d) { d.run.tolerance = 1e-4; }), HasSubstr("tolerance"));
  EXPECT_THAT(reason([](Document& d) { d.run.max_iterations = 1; }), HasSubstr("iteration limit"));
  EXPECT_EQ(reason([](Document& d) { d.run.warm_start = Start::guess; }),
            "not comparable: --warm-start is zero in the baseline and guess in the candidate");
  EXPECT_THAT(reason([](Document& d) { d.run.sequence = true; }), HasSubstr("--sequence"));
  EXPECT_THAT(reason([](Document& d) {
                for (ProblemEntry& problem : d.problems) problem.sha256 += "2";
              }),
              HasSubstr("no problem in common"));
  EXPECT_THAT(reason([](Document& d) {
                d.solvers[0] = {"t", "t", ContactModel::ncp, true, {}};
                for (Record& record : d.records) record.solver = "t";
              }),
              HasSubstr("no solver in common"));
  EXPECT_THAT(reason([](Document& d) { d.records.clear(); }),
              HasSubstr("no pair of problem and solver"));
}

TEST(ComparisonRules, ShippedFileHoldsTheDefaults) {
  std::ifstream file(FRICTIONBENCH_SOURCE_DIR "/results/comparison-rules.json");
  EXPECT_EQ(nlohmann::json::parse(file), to_json(ComparisonRules{}));
}

TEST(ComparisonRules, WhatIsReadIsWhatWasWritten) {
  const auto json = nlohmann::json::parse(R"({
    "lost": "ignore", "counters": {"iterations": 5, "sweeps": null}, "residual": null,
    "time": {"threshold": 1.05}})");
  const ComparisonRules rules = comparison_rules_from_json(json);
  EXPECT_FALSE(rules.lost_is_worse);
  EXPECT_EQ(rules.counters[0].allowance, 5);
  EXPECT_FALSE(rules.residual);
  EXPECT_EQ(rules.time->threshold, 1.05);
  EXPECT_EQ(rules.time->floor, TimeRule{}.floor) << "not named, so the default";
  EXPECT_FALSE(ComparisonRules{}.time) << "times are judged on request only";
  EXPECT_EQ(to_json(comparison_rules_from_json(to_json(rules))), to_json(rules));
}

TEST(ComparisonRules, RefusesWhatItDoesNotKnow) {
  const auto refusal = [](const char* text) -> std::string {
    try {
      comparison_rules_from_json(nlohmann::json::parse(text));
    } catch (const ResultsError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal(R"({"counter": {}})"), HasSubstr("did you mean counters?"));
  EXPECT_THAT(refusal(R"({"counters": {"iteration": 0}})"), HasSubstr("counters: unknown key"));
  EXPECT_THAT(refusal(R"({"counters": {"sweeps": -1}})"), HasSubstr("counters.sweeps: is -1"));
  EXPECT_THAT(refusal(R"({"counters": 3})"), HasSubstr("counters: is number"));
  EXPECT_THAT(refusal(R"({"lost": true})"), HasSubstr("lost: is true"));
  EXPECT_THAT(refusal(R"({"residual": {"factor": "10"}})"), HasSubstr("residual.factor"));
  EXPECT_THAT(refusal(R"({"time": {"false_discoveries": 1}})"),
              HasSubstr("time.false_discoveries"));
  EXPECT_THAT(refusal(R"({"time": {"threshold": 0.5}})"), HasSubstr("time.threshold"));
  EXPECT_THAT(refusal("[]"), HasSubstr("expected an object"));
}

}  // namespace
}  // namespace frictionbench::results
