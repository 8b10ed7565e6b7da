/// Runs of several rounds.

#include "frictionbench/bench/run/internal/rounds.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "frictionbench/bench/run/internal/schedule.hpp"
#include "frictionbench/bench/run/runner.hpp"
#include "frictionbench/results/document/json.hpp"
#include "frictionbench/solvers/register_all.hpp"
#include "support/problem_folder.hpp"
#include "support/problems.hpp"
#include "support/scripted_solver.hpp"

namespace frictionbench::bench {
namespace {

using test::scripted_from;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

using Name = std::pair<std::string, std::string>;  // of a pair: problem, solver

// Notes the order of the pairs. Stops after so many of all rounds, if it is told a number.
class Watching final : public RunObserver {
 public:
  explicit Watching(int stop_after = 0) : stop_after_(stop_after) {}
  void finished(const results::Record& record, const Vector&) override {
    first.emplace_back(record.problem, record.solver);
  }
  void repeated(const results::Record& record) override {
    later.emplace_back(record.problem, record.solver);
  }
  void in_journal(std::size_t pairs) override { absent += pairs; }
  void left_out(std::size_t pairs) override { absent += pairs; }
  Stop stop_requested() override {
    const auto done = static_cast<int>(first.size() + later.size());
    return stop_after_ > 0 && done >= stop_after_ ? Stop::after_pairs_under_way : Stop::no;
  }

  std::vector<Name> first, later;
  std::size_t absent = 0;

 private:
  int stop_after_;
};

// Answers its start plus `step` in every entry.
Result count_up(const ContactProblem& problem, const Vector& start, double step = 1) {
  Result result;
  result.status = Status::inaccurate;
  result.r = start + Vector::Constant(problem.unknowns(), step);
  result.iterations = 3;
  return result;
}

class Rounds : public testing::Test {
 protected:
  Rounds() {
    for (const char* name : {"S-3-00010", "S-3-00020", "S-3-00030", "T-3-00010"})
      folder_.write(std::string("A/") + name + ".hdf5", test::random_problem(3, 3, 12, 1, 1));
    options_.repeat_time = 0;
    options_.time_limit = 1;
    options_.rounds = 3;
  }
  std::optional<results::Document> run(RunObserver& observer) {
    PlanOptions plan_options;
    plan_options.sequence = options_.sequence;
    plan_options.shard = shard_;
    return bench::run(make_plan(folder_.problems(), solvers_, plan_options), solvers_, options_,
                      observer);
  }
  results::Document run() {
    Watching silent;
    return run(silent).value();
  }
  // A solver that knows how often it was called on a problem: each call is in another process.
  ConfiguredSolver scripted_by_call(
      const std::function<Result(int, const ContactProblem&, const Vector&)>& script) {
    const std::string calls = folder_.file("calls");
    return scripted_from("by-call", [=](const ContactProblem& problem, const Vector& start) {
      std::ofstream(calls, std::ios::app) << '.';
      const auto call = static_cast<int>(std::filesystem::file_size(calls));
      return script(call, problem, start);
    });
  }
  // Of a run of one problem.
  results::Record by_call(
      const std::function<Result(int, const ContactProblem&, const Vector&)>& script) {
    solvers_ = {scripted_by_call(script)};
    Watching silent;
    return bench::run(make_plan({folder_.problems().front()}, solvers_, {}), solvers_, options_,
                      silent)
        .value()
        .records.at(0);
  }
  static nlohmann::json without_times(const results::Document& document) {
    nlohmann::json value = results::to_json(document);
    for (auto& record : value["records"]) {
      record["rounds"] = record["time"]["rounds"].is_null() ? 0 : record["time"]["rounds"].size();
      for (const char* name : {"time", "memory_peak", "hardware"}) record.erase(name);
    }
    value.erase("run");
    return value;
  }

  test::ProblemFolder folder_;
  std::vector<ConfiguredSolver> solvers_{
      scripted_from("count", [](const auto& problem,
                                const Vector& start) { return count_up(problem, start); }),
      solvers::all_solvers().make("ncp-pgs")};
  std::optional<results::Shard> shard_;
  RunOptions options_;
};

TEST_F(Rounds, EveryPairIsMeasuredOnceInEachRound) {
  Watching observer;
  const results::Document document = run(observer).value();
  EXPECT_EQ(document.run.rounds, 3);
  for (const results::Record& record : document.records) {
    EXPECT_EQ(record.time.rounds.size(), 3u);
    EXPECT_EQ(record.time.rounds.at(0), record.time.solve.value().median);
  }
  ASSERT_EQ(observer.first.size(), 8u);
  ASSERT_EQ(observer.later.size(), 16u);
  const auto round = [&](std::size_t first) {
    const auto begin = observer.later.begin() + static_cast<std::ptrdiff_t>(first);
    return std::vector<Name>(begin, begin + 8);
  };
  const auto all = [](const std::vector<Name>& names) {
    return std::set<Name>(names.begin(), names.end());
  };
  EXPECT_EQ(all(round(0)), all(observer.first));
  EXPECT_EQ(all(round(8)), all(observer.first));
  EXPECT_NE(round(0), round(8)) << "each round has an order of its own";
}

TEST_F(Rounds, TheSeedDecidesTheOrder) {
  const auto order = [&](int seed) {
    options_.seed = seed;
    Watching observer;
    EXPECT_EQ(run(observer).value().run.seed, seed);
    return std::make_pair(observer.first, observer.later);
  };
  EXPECT_EQ(order(1), order(1));
  EXPECT_NE(order(1), order(2));
}

TEST_F(Rounds, OneRoundIsInTheOrderOfThePlanAndHasNoList) {
  options_.rounds = 1;
  Watching observer;
  const results::Document document = run(observer).value();
  for (std::size_t k = 0; k < document.records.size(); ++k) {
    EXPECT_THAT(document.records[k].time.rounds, ElementsAre());
    EXPECT_THAT(observer.first.at(k),
                Pair(document.records[k].problem, document.records[k].solver));
  }
  EXPECT_EQ(results::to_json(document.records[0])["time"]["rounds"], nullptr);
}

TEST_F(Rounds, TheRecordIsThatOfTheFirst) {
  const nlohmann::json three = without_times(run());
  options_.rounds = 1;
  nlohmann::json one = without_times(run());
  for (auto& record : one["records"]) record["rounds"] = 3;
  EXPECT_EQ(three, one);
}

TEST_F(Rounds, WhatDiffersInALaterRoundIsNotRepeatable) {
  auto record = by_call([](int call, const auto& problem, const Vector& start) {
    return count_up(problem, start, call == 3 ? 1 + 1e-15 : 1);
  });
  EXPECT_EQ(record.status, Status::not_repeatable);
  EXPECT_EQ(record.message, "round 3: another impulse than in the first round");
  EXPECT_EQ(record.time.rounds.size(), 2u);

  std::filesystem::remove(folder_.file("calls"));
  record = by_call([](int call, const auto& problem, const Vector& start) {
    Result result = count_up(problem, start);
    result.iterations = call;
    return result;
  });
  EXPECT_EQ(record.status, Status::not_repeatable);
  EXPECT_EQ(record.message, "round 2: 2 iterations, 1 in the first round");

  std::filesystem::remove(folder_.file("calls"));
  record = by_call([](int call, const auto& problem, const Vector& start) {
    if (call == 2) throw std::runtime_error("no more");
    return count_up(problem, start);
  });
  EXPECT_EQ(record.status, Status::not_repeatable);
  EXPECT_THAT(record.message, HasSubstr("round 2: status error: no more"));
  EXPECT_EQ(record.iterations, 3) << "the record is that of the first round";
}

TEST_F(Rounds, ATimeLimitEndsThemAndIsNoDifference) {
  auto record = by_call([](int call, const auto& problem, const Vector& start) {
    Result result = count_up(problem, start);
    if (call == 2) result.status = Status::time_limit;
    return result;
  });
  EXPECT_EQ(record.status, Status::inaccurate);
  EXPECT_EQ(record.time.rounds.size(), 1u) << "and the third does not take place";

  std::filesystem::remove(folder_.file("calls"));
  record = by_call([](int, const auto& problem, const Vector& start) {
    Result result = count_up(problem, start);
    result.status = Status::time_limit;
    return result;
  });
  EXPECT_THAT(record.time.rounds, ElementsAre());
  EXPECT_EQ(std::filesystem::file_size(folder_.file("calls")), 1u) << "nothing is repeated";
}

TEST_F(Rounds, AChainStartsEachRoundFromTheSameAnswers) {
  options_.sequence = true;
  const results::Document document = run();
  for (const results::Record& record : document.records) {
    EXPECT_NE(record.status, Status::not_repeatable) << record.message;
    EXPECT_EQ(record.time.rounds.size(), 3u);
  }
  EXPECT_EQ(document.records.at(4).previous, "A/S-3-00020");
}

TEST_F(Rounds, WhatStartsFromAnAnswerThatIsNoLongerThereTakesPartNoMore) {
  options_.sequence = true;
  // One problem after the other: the second is the first of the chain whose answer changes.
  solvers_ = {scripted_from(
      "drift", [file = folder_.file("calls")](const ContactProblem& problem, const Vector& start) {
        if (start.norm() == 0) return count_up(problem, start);
        std::ofstream(file, std::ios::app) << '.';
        return count_up(problem, start, static_cast<double>(std::filesystem::file_size(file)));
      })};
  Watching observer;
  const results::Document document = run(observer).value();
  EXPECT_EQ(document.records[0].time.rounds.size(), 3u);
  EXPECT_EQ(document.records[1].status, Status::not_repeatable);
  EXPECT_EQ(document.records[2].status, Status::inaccurate);
  EXPECT_EQ(document.records[2].time.rounds.size(), 1u);
  EXPECT_EQ(observer.first.size() + observer.later.size() + observer.absent, 3u * 4u);
}

TEST_F(Rounds, InterruptedAnywhereTheyEndWithTheSameDocument) {
  for (const bool sequence : {false, true}) {
    options_.sequence = sequence;
    options_.journal.clear();
    options_.resume = false;
    const nlohmann::json whole = without_times(run());
    options_.journal = folder_.file("journal");
    for (int pairs = 1; pairs < 23; ++pairs) {
      Watching interrupted(pairs), resumed;
      options_.resume = false;
      ASSERT_FALSE(run(interrupted)) << pairs;
      options_.resume = true;
      EXPECT_EQ(without_times(run(resumed).value()), whole) << "after " << pairs << " pairs";
      const std::size_t done = interrupted.first.size() + interrupted.later.size();
      EXPECT_EQ(resumed.first.size() + resumed.later.size(), 24 - done) << "nothing runs twice";
      EXPECT_EQ(resumed.absent, done);
      std::filesystem::remove(options_.journal);
    }
  }
}

TEST_F(Rounds, TheJournalOfOtherRoundsIsRefused) {
  options_.journal = folder_.file("journal");
  Watching interrupted(10);
  ASSERT_FALSE(run(interrupted));
  options_.resume = true;
  options_.rounds = 4;
  EXPECT_ANY_THROW(run());
  options_.rounds = 3;
  options_.seed = 1;
  EXPECT_ANY_THROW(run());
}

TEST_F(Rounds, ShardsAndJobsChangeNothing) {
  options_.sequence = true;
  const nlohmann::json whole = without_times(run());
  std::size_t records = 0;
  for (int number = 1; number <= 3; ++number) {
    shard_ = results::Shard{number, 3};
    const nlohmann::json part = without_times(run());
    records += part["records"].size();
    for (const auto& record : part["records"])
      EXPECT_THAT(whole["records"], testing::Contains(record));
  }
  EXPECT_EQ(records, whole["records"].size());
  shard_.reset();
  options_.jobs = 2;
  try {
    EXPECT_EQ(without_times(run()), whole);
  } catch (const std::invalid_argument&) {
    GTEST_SKIP() << "this machine has one processor";
  }
}

TEST_F(Rounds, EstimatesCountThem) {
  PlanOptions plan_options;
  const double one = make_plan(folder_.problems(), solvers_, plan_options).estimated_time();
  plan_options.rounds = 3;
  EXPECT_DOUBLE_EQ(make_plan(folder_.problems(), solvers_, plan_options).estimated_time(), 3 * one);
}

TEST_F(Rounds, DocumentsKeepThem) {
  options_.command = {"frictionbench", "run"};
  const results::Document document = run();
  results::write_document(folder_.file("results.json"), document);
  const results::Document again = results::read_document(folder_.file("results.json"));
  EXPECT_EQ(again.records[0].time.rounds, document.records[0].time.rounds);
  EXPECT_EQ(again.records[0].impulse_sha256, document.records[0].impulse_sha256);
  EXPECT_EQ(again.records[0].impulse_sha256.size(), 64u);

  // Earlier documents have no such setting, and documents of one round no such times.
  nlohmann::json earlier = results::to_json(document);
  earlier["run"].erase("rounds");
  for (auto& record : earlier["records"]) {
    record["impulse_sha256"] = nullptr;
    record["time"]["rounds"] = nullptr;
  }
  std::ofstream(folder_.file("earlier.json")) << earlier;
  const results::Document read = results::read_document(folder_.file("earlier.json"));
  EXPECT_EQ(read.run.rounds, 1);
  EXPECT_THAT(read.records[0].time.rounds, ElementsAre());
}

TEST_F(Rounds, AScheduleInRandomOrderKeepsProblemsTogetherAndChainsInOrder) {
  options_.sequence = true;
  PlanOptions plan_options;
  plan_options.sequence = true;
  const Plan plan = make_plan(folder_.problems(), solvers_, plan_options);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Schedule schedule(plan, seed);
    std::vector<std::size_t> problems;
    while (const auto pair = schedule.take()) {
      problems.push_back(pair->first);
      schedule.done(*pair);
    }
    ASSERT_EQ(problems.size(), 8u);
    for (std::size_t k = 0; k < problems.size(); k += 2)
      EXPECT_EQ(problems[k], problems[k + 1]) << "read once";
    const auto place = [&](std::size_t p) {
      return std::find(problems.begin(), problems.end(), p) - problems.begin();
    };
    EXPECT_LT(place(0), place(1));
    EXPECT_LT(place(1), place(2));
  }
}

}  // namespace
}  // namespace frictionbench::bench
