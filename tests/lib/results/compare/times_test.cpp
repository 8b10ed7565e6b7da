/// Times of two runs: a program compared with itself raises no alarm on a restless machine, and a
/// slower solver is found. Times are simulated, so nothing here depends on this machine.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "frictionbench/math/portable_numbers.hpp"
#include "frictionbench/results/compare/comparison.hpp"
#include "frictionbench/results/document/json.hpp"

namespace frictionbench::results {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

// A machine that other work shares. Every run has a level of its own; within it the machine gets
// slower and faster, now and then something else takes part of it for a while, and single solves
// are interrupted.
class RestlessMachine {
 public:
  explicit RestlessMachine(std::uint64_t seed) : random_(seed) {}

  // Gives every record that has a time as many rounds, in the order in which a run takes them.
  // \param factor of the solver, for a change of the program.
  void run(Document& document, int rounds, const std::string& solver = "", double factor = 1) {
    document.run.rounds = rounds;
    const double level = 0.04 * normal();
    double drift = 0;
    int disturbed = 0;  // solves for which something else runs
    for (int round = 0; round < rounds; ++round)
      for (Record& record : document.records) {
        if (!record.time.solve || record.status == Status::time_limit) continue;
        drift = 0.999 * drift + 0.003 * normal();  // in the long run about 0.07
        if (disturbed > 0)
          --disturbed;
        else if (random_.uniform(0, 1) < 0.0002)
          disturbed = static_cast<int>(random_.uniform(0, 400));
        double logarithm = level + drift + 0.05 * normal();
        if (disturbed > 0) logarithm += 0.3;
        if (random_.uniform(0, 1) < 0.03) logarithm += random_.uniform(0, 2);
        const double speed = record.solver == solver ? factor : 1;
        record.time.rounds.push_back(speed * record.time.solve->median * std::exp(logarithm));
      }
  }

 private:
  double normal() {  // Box and Muller
    const double u = 1 - random_.uniform(0, 1), v = random_.uniform(0, 1);
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
  }

  Random random_;
};

// The first 24 registered solvers on the data set that ships, with the times that were recorded then. Not all,
// so that what is drawn for them does not change with every solver that comes later.
const Document& recorded() {
  static const Document document = [] {
    Document recorded = read_document(FRICTIONBENCH_SOURCE_DIR "/results/baselines/default.json");
    recorded.solvers.resize(24);
    std::set<std::string> kept;
    for (const SolverEntry& solver : recorded.solvers) kept.insert(solver.id);
    std::erase_if(recorded.records,
                  [&](const Record& record) { return !kept.contains(record.solver); });
    return recorded;
  }();
  return document;
}

ComparisonOptions with_times(const TimeRule& rule = {}) {
  ComparisonOptions options;
  options.rules.time = rule;
  return options;
}

// Alarms in twenty whole comparisons of the program with itself.
int alarms_of_itself(int rounds, const TimeRule& rule) {
  int alarms = 0;
  for (std::uint64_t comparison = 0; comparison < 20; ++comparison) {
    RestlessMachine machine(comparison);
    Document baseline = recorded(), candidate = recorded();
    machine.run(baseline, rounds);
    machine.run(candidate, rounds);
    const Comparison found = compare(baseline, candidate, with_times(rule));
    EXPECT_THAT(found.notes, Contains(HasSubstr("pairs were tested over")));
    alarms += found.regressed();
  }
  return alarms;
}

TEST(Times, OfAProgramAndItselfRaiseAtMostOneAlarmInTwenty) {
  EXPECT_LE(alarms_of_itself(10, {}), 1);
  EXPECT_LE(alarms_of_itself(5, {}), 1);
}

// Otherwise the test above would prove nothing.
TEST(Times, OfSingleRoundsWouldRaiseManyAlarms) {
  int alarms = 0;
  for (std::uint64_t comparison = 0; comparison < 20; ++comparison) {
    RestlessMachine machine(comparison);
    Document baseline = recorded(), candidate = recorded();
    machine.run(baseline, 1);
    machine.run(candidate, 1);
    bool slower = false;
    for (std::size_t k = 0; k < baseline.records.size(); ++k) {
      const auto &before = baseline.records[k].time.rounds, &now = candidate.records[k].time.rounds;
      slower |= !before.empty() && now[0] > TimeRule{}.threshold * before[0];
    }
    alarms += slower;
  }
  EXPECT_EQ(alarms, 20);
}

TEST(Times, ASolverThatIsHalfAsSlowAgainIsFound) {
  const std::string slower = recorded().solvers.front().id;
  int timed = 0;  // its pairs above the floor
  for (const Record& record : recorded().records)
    timed += record.solver == slower && record.time.solve &&
             record.time.solve->median > 2 * TimeRule{}.floor;
  ASSERT_GT(timed, 20);
  for (std::uint64_t comparison = 0; comparison < 5; ++comparison) {
    RestlessMachine machine(comparison);
    Document baseline = recorded(), candidate = recorded();
    machine.run(baseline, 12);
    machine.run(candidate, 12, slower, 1.5);
    const Comparison found = compare(baseline, candidate, with_times());
    EXPECT_TRUE(found.regressed());
    int right = 0, wrong = 0;
    for (const PairComparison& pair : found.pairs)
      if (pair.change == Change::worse) ++(pair.solver == slower ? right : wrong);
    EXPECT_GT(right, timed / 4) << "of " << timed;
    EXPECT_LE(wrong, right / 10);
    EXPECT_EQ(compare(candidate, baseline, with_times()).counts.better, right + wrong);
  }
}

// Three problems and one solver, all solved.
Document document(const std::vector<std::vector<double>>& rounds) {
  Document document;
  document.run.host.cpu = "Example CPU";
  document.run.rounds = static_cast<int>(rounds.at(0).size());
  document.solvers.push_back({"s", "s", ContactModel::ncp, true, {}});
  for (std::size_t k = 0; k < rounds.size(); ++k) {
    ProblemEntry problem;
    problem.id = problem.sha256 = "F/" + std::to_string(k);
    document.problems.push_back(problem);
    Record record;
    record.problem = problem.id;
    record.solver = "s";
    record.status = Status::converged;
    record.solved.ncp = {true, true, true};
    record.time.solve = SampleSummary{1, 1, 1, 0, 1, {1.0}};
    record.time.rounds = rounds[k];
    document.records.push_back(record);
  }
  return document;
}

const std::vector<double> even{1.0, 1.01, 0.99, 1.02, 0.98, 1.0};
std::vector<double> times(double factor, std::vector<double> values) {
  for (double& value : values) value *= factor;
  return values;
}

TEST(Times, AreJudgedByTheRatiosOfTheRounds) {
  const auto found = [](const std::vector<double>& rounds) {
    return compare(document({even}), document({rounds}), with_times()).pairs.at(0);
  };
  const PairComparison slower = found(times(1.5, even));
  EXPECT_EQ(slower.change, Change::worse);
  ASSERT_EQ(slower.differences.size(), 1u);
  EXPECT_EQ(slower.differences[0].what, "time");
  EXPECT_NEAR(slower.differences[0].ratio, 1.5, 1e-12);
  EXPECT_TRUE(slower.differences[0].interval.value().contains(1.5));
  EXPECT_DOUBLE_EQ(slower.differences[0].p_value.value(), 1.0 / 64);
  EXPECT_EQ(slower.candidate->samples, 1);
  EXPECT_EQ(found(times(0.5, even)).change, Change::better);
  EXPECT_EQ(found(times(1.15, even)).change, Change::same) << "within the threshold";
  EXPECT_EQ(found({0.5, 1, 1.9, 2, 2.1, 9}).change, Change::same) << "too scattered";
}

TEST(Times, BelowTheFloorAreNoNews) {
  const auto change = [](double before, double now) {
    return compare(document({std::vector<double>(6, before)}),
                   document({std::vector<double>(6, now)}), with_times())
        .pairs[0]
        .change;
  };
  EXPECT_EQ(change(1e-6, 9e-5), Change::same) << "the floor is 1e-4 s";
  EXPECT_EQ(change(1e-6, 1.1e-4), Change::same);
  EXPECT_EQ(change(1e-6, 1.3e-4), Change::worse);
  const Document fast = document({std::vector<double>(6, 1e-6), even});
  EXPECT_THAT(
      compare(fast, fast, with_times()).notes,
      ElementsAre(HasSubstr("times of 1 of 2 pairs were tested over 6 rounds (1 below 0.0001 s); "
                            "their median ratio is 1")));
}

TEST(Times, OfManyPairsAreHarderToTellApart) {
  std::vector<std::vector<double>> many(60, even), one_slower = many;
  one_slower[7] = times(1.5, even);
  const Comparison found = compare(document(many), document(one_slower), with_times());
  EXPECT_EQ(found.counts.same, 60) << "one in 64 is what chance makes of 60";
  EXPECT_THAT(found.notes, ElementsAre(AllOf(HasSubstr("60 of 60 pairs were tested over 6 rounds"),
                                             HasSubstr("median ratio is 1")),
                                       HasSubstr("found if there are at least 19")));
  for (std::size_t k = 0; k < 20; ++k) one_slower[k] = times(1.5, even);
  EXPECT_EQ(compare(document(many), document(one_slower), with_times()).counts.worse, 20);
}

TEST(Times, AreJudgedOnlyWhenAsked) {
  const Comparison found = compare(document({even}), document({times(9, even)}), {});
  EXPECT_EQ(found.counts.same, 1);
  EXPECT_THAT(found.notes, ElementsAre());
}

TEST(Times, OfOtherNumbersOfRoundsAreNotJudgedAndThatIsSaid) {
  const auto notes = [](const Document& baseline, const Document& candidate) {
    const Comparison found = compare(baseline, candidate, with_times());
    EXPECT_EQ(found.counts.same, 1);
    return found.notes;
  };
  EXPECT_THAT(notes(document({even}), document({{9, 9, 9, 9, 9}})),
              ElementsAre(AllOf(HasSubstr("times are not judged"),
                                HasSubstr("the baseline has 6, the candidate 5"))));
  EXPECT_THAT(notes(document({{1, 1, 1, 1}}), document({{9, 9, 9, 9}})),
              ElementsAre(HasSubstr("at least 5")));
  Document without = document({even});
  without.run.rounds = 1;
  without.records[0].time.rounds.clear();
  EXPECT_THAT(notes(without, without), ElementsAre(HasSubstr("the baseline has 1")));
}

TEST(Times, OfPairsThatMissedARoundAreNotJudged) {
  Document baseline = document({even, even}), candidate = document({even, even});
  candidate.records[0].time.rounds = {9, 9, 9, 9, 9};
  const Comparison found = compare(baseline, candidate, with_times());
  EXPECT_EQ(found.counts.same, 2);
  EXPECT_THAT(found.notes, Contains(HasSubstr("times of 1 of 2 pairs were tested")));
}

TEST(Times, OfOtherProcessorsAreComparedOnRequestOnly) {
  Document candidate = document({times(9, even)});
  candidate.run.host.cpu = "Other CPU";
  ComparisonOptions options = with_times();
  const Comparison careful = compare(document({even}), candidate, options);
  EXPECT_EQ(careful.counts.same, 1);
  EXPECT_THAT(careful.notes, ElementsAre(HasSubstr("times are not compared")));
  options.any_machine = true;
  EXPECT_EQ(compare(document({even}), candidate, options).counts.worse, 1);

  candidate.run.host.cpu = "Example CPU";
  candidate.run.joined.emplace_back().host.cpu = "Other CPU";
  EXPECT_EQ(compare(document({even}), candidate, with_times()).counts.same, 1)
      << "one of the joined runs was made elsewhere";
  candidate.run.joined.clear();
  candidate.run.shards.emplace_back().host.cpu = "Other CPU";
  EXPECT_EQ(compare(document({even}), candidate, with_times()).counts.same, 1)
      << "one shard ran elsewhere";
}

// Runs with other time limits.
TEST(TimeLimits, LeaveOutWhatOneOfThemEnded) {
  const auto end = [](Record& record, bool solved) {
    record.status = Status::time_limit;
    if (!solved) record.solved = {};
  };
  Document baseline = document({even, even, even, even}), candidate = baseline;
  candidate.run.time_limit = 5;
  end(candidate.records[0], false);
  end(baseline.records[1], false);
  end(candidate.records[2], true);  // stopped with a good enough answer
  const Comparison found = compare(baseline, candidate, {});
  EXPECT_EQ(found.left_out, 2);
  EXPECT_EQ(found.counts.lost + found.counts.added + found.counts.worse, 0);
  EXPECT_EQ(found.pairs.size(), 2u);
  EXPECT_THAT(found.notes,
              Contains(AllOf(HasSubstr("60 s in the baseline and 5 s in the candidate"),
                             HasSubstr("2 pairs"))));

  for (Record& record : candidate.records) end(record, false);
  EXPECT_THROW(compare(baseline, candidate, {}), NotComparable);

  candidate.run.time_limit = baseline.run.time_limit;
  EXPECT_EQ(compare(baseline, candidate, {}).left_out, 0);
  EXPECT_GT(compare(baseline, candidate, {}).counts.worse, 0) << "with one limit it is worse";
}

}  // namespace
}  // namespace frictionbench::results
