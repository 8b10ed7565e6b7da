/// Runs whose problems start from guesses, solutions and previous answers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "frictionbench/bench/measure/measure.hpp"
#include "frictionbench/bench/run/internal/journal.hpp"
#include "frictionbench/bench/run/internal/schedule.hpp"
#include "frictionbench/bench/run/runner.hpp"
#include "frictionbench/results/document/json.hpp"
#include "frictionbench/solvers/register_all.hpp"
#include "support/problem_folder.hpp"
#include "support/problems.hpp"
#include "support/scripted_solver.hpp"

namespace frictionbench::bench {
namespace {

using results::Start;
using test::scripted_from;
using testing::ElementsAre;
using testing::HasSubstr;

// Answers its start plus one in every entry: the norm tells how many answers are behind it.
Result count_up(const ContactProblem& problem, const Vector& start) {
  Result result;
  result.status = Status::inaccurate;
  result.r = start + Vector::Ones(problem.unknowns());
  return result;
}

// Stops a run after so many pairs; the one that is under way then is finished, too.
class StopAfter final : public RunObserver {
 public:
  explicit StopAfter(int pairs) : left_(pairs) {}
  void finished(const results::Record&, const Vector&) override { --left_; }
  Stop stop_requested() override { return left_ <= 0 ? Stop::after_pairs_under_way : Stop::no; }

 private:
  int left_;
};

class SequenceRun : public testing::Test {
 protected:
  // In the order of names, which is not that of time: 5, 10, 20 and 30, 40 belong together.
  SequenceRun() {
    for (const char* name : {"S-3-00010", "S-3-00020", "S-4-00030", "S-4-00040", "S-i9-3-00005"})
      folder_.write(std::string("A/") + name + ".hdf5",
                    test::random_problem(3, name[2] == '4' ? 4 : 3, 12, 1, 1));
    plan_options_.sequence = true;
    options_.repeat_time = 0;
  }

  Plan plan() const { return make_plan(folder_.problems(), solvers_, plan_options_); }
  std::optional<results::Document> run(RunObserver& observer) {
    return bench::run(plan(), solvers_, options_, observer);
  }
  results::Document run() {
    RunObserver silent;
    return run(silent).value();
  }

  // Of count_up: how many answers there are in a row up to each record's.
  static std::vector<int> lengths(const results::Document& document) {
    std::vector<int> found;
    for (const results::Record& record : document.records) {
      const double entries = 3.0 * (record.problem.find("S-4") == std::string::npos ? 3 : 4);
      found.push_back(
          static_cast<int>(std::lround(record.verdict.value().impulse_norm / std::sqrt(entries))));
    }
    return found;
  }

  static nlohmann::json without_times(const results::Document& document) {
    nlohmann::json value = results::to_json(document);
    for (auto& record : value["records"])
      for (const char* name : {"time", "memory_peak", "hardware"}) record.erase(name);
    value.erase("run");
    return value;
  }

  test::ProblemFolder folder_;
  std::vector<ConfiguredSolver> solvers_{scripted_from("count", count_up)};
  PlanOptions plan_options_;
  RunOptions options_;
};

TEST_F(SequenceRun, EveryProblemStartsFromTheAnswerBefore) {
  const results::Document document = run();
  EXPECT_THAT(lengths(document), ElementsAre(2, 3, 1, 2, 1));
  EXPECT_TRUE(document.run.sequence);
  EXPECT_EQ(document.records[0].problem, "A/S-3-00010");
  EXPECT_EQ(document.records[0].start, Start::previous);
  EXPECT_EQ(document.records[0].previous, "A/S-i9-3-00005");
  EXPECT_EQ(document.records[4].start, Start::zero);
  EXPECT_EQ(document.records[4].previous, "");
}

// Contacts come, go and change places: a contact's impulse tells how many steps it has been there.
class IdentifiedContacts : public SequenceRun {
 protected:
  class Answers final : public RunObserver {
   public:
    void finished(const results::Record& record, const Vector& r) override {
      r_[record.problem] = r;
      --left;
    }
    Stop stop_requested() override { return left <= 0 ? Stop::after_pairs_under_way : Stop::no; }
    std::vector<int> ages(const std::string& problem) const {
      std::vector<int> ages;
      const Vector& r = r_.at(problem);
      for (Index row = 0; row < r.size(); row += 3)
        ages.push_back(static_cast<int>(std::lround(r[row])));
      return ages;
    }
    int left = 1000;

   private:
    std::map<std::string, Vector> r_;
  };

  void write(const std::string& name, const std::vector<int>& features) const {
    fclib::ProblemFile file{
        test::random_problem(3, static_cast<Index>(features.size()), 12, 1, 1), {}, {}, {}};
    for (const int feature : features) file.bodies.push_back({7, 0, feature});
    std::filesystem::create_directories(folder_.path() / "B");
    fclib::write_problem(folder_.file("B/" + name + ".hdf5"), file);
  }
};

TEST_F(IdentifiedContacts, KeepTheirImpulses) {
  write("S-2-1", {1, 2});
  write("S-3-2", {3, 2, 1});
  write("S-2-3", {4, 3});
  write("S-2-4", {4, 4});
  write("S-2-5", {4, 4});
  Answers answers;
  const results::Document document = run(answers).value();
  EXPECT_THAT(answers.ages("B/S-2-1"), ElementsAre(1, 1));
  EXPECT_THAT(answers.ages("B/S-3-2"), ElementsAre(1, 2, 2));
  EXPECT_THAT(answers.ages("B/S-2-3"), ElementsAre(1, 2));
  EXPECT_THAT(answers.ages("B/S-2-4"), ElementsAre(2, 1)) << "of two with one name, the first";
  EXPECT_THAT(answers.ages("B/S-2-5"), ElementsAre(3, 2));
  for (const results::Record& record : document.records)
    if (record.problem == "B/S-2-3") {
      EXPECT_EQ(record.start, Start::previous);
      EXPECT_EQ(record.previous, "B/S-3-2");
    }
}

TEST_F(IdentifiedContacts, AreFoundByARunThatIsResumed) {
  write("S-2-1", {1, 2});
  write("S-3-2", {3, 2, 1});
  options_.journal = folder_.file("journal");
  for (int pairs = 1; pairs <= 5; ++pairs) {  // of 7, of which one more is under way then
    std::filesystem::remove(options_.journal);
    options_.resume = false;
    Answers first, rest;
    first.left = pairs;
    EXPECT_FALSE(run(first));
    options_.resume = true;
    const results::Document document = run(rest).value();
    for (const results::Record& record : document.records)
      if (record.problem == "B/S-3-2") {
        EXPECT_EQ(record.start, Start::previous) << pairs;
        EXPECT_NEAR(record.verdict.value().impulse_norm, std::sqrt(3 * (1 + 4 + 4)), 1e-12);
      }
  }
}

TEST_F(SequenceRun, OnlyWhereItIsAskedFor) {
  plan_options_.sequence = false;
  const results::Document document = run();
  EXPECT_THAT(lengths(document), ElementsAre(1, 1, 1, 1, 1));
  EXPECT_FALSE(document.run.sequence);
}

TEST_F(SequenceRun, SolversDoNotSeeEachOthersAnswers) {
  solvers_.push_back(scripted_from("stay", [](const ContactProblem&, const Vector& start) {
    Result result;
    result.status = Status::inaccurate;
    result.r = start;
    return result;
  }));
  EXPECT_THAT(lengths(run()), ElementsAre(2, 0, 3, 0, 1, 0, 2, 0, 1, 0));
}

TEST_F(SequenceRun, AnswersThatAreNoneOrNotFiniteAreNotUsed) {
  const auto failing_at = [](Index contacts, auto failure) {
    return scripted_from("fail", [=](const ContactProblem& problem, const Vector& start) {
      return problem.contacts() == contacts ? failure(problem) : count_up(problem, start);
    });
  };
  solvers_ = {failing_at(3, [](const ContactProblem& problem) {
    Result result;
    result.status = Status::inaccurate;
    result.r = Vector::Constant(problem.unknowns(), NAN);
    return result;
  })};
  for (const results::Record& record : run().records)
    EXPECT_EQ(record.start, record.problem == "A/S-4-00040" ? Start::previous : Start::zero);
  solvers_ = {
      failing_at(3, [](const ContactProblem&) -> Result { throw std::runtime_error("no"); })};
  for (const results::Record& record : run().records)
    EXPECT_EQ(record.start, record.problem == "A/S-4-00040" ? Start::previous : Start::zero);
}

TEST_F(SequenceRun, InterruptedAnywhereItEndsWithTheSameDocument) {
  solvers_.push_back(solvers::all_solvers().make("ncp-pgs"));
  const nlohmann::json whole = without_times(run());
  options_.journal = folder_.file("journal");
  for (int pairs = 1; pairs < 9; ++pairs) {
    StopAfter observer(pairs);
    options_.resume = false;
    ASSERT_FALSE(run(observer)) << pairs;
    options_.resume = true;
    EXPECT_EQ(without_times(run()), whole) << "after " << pairs << " pairs";
    std::filesystem::remove(options_.journal);
  }
}

TEST_F(SequenceRun, TheJournalOfAnotherStartIsRefused) {
  options_.journal = folder_.file("journal");
  StopAfter observer(2);
  ASSERT_FALSE(run(observer));
  options_.resume = true;
  const auto refusal = [&]() -> std::string {
    try {
      run();
    } catch (const JournalError& error) {
      return error.what();
    }
    return "";
  };
  plan_options_.sequence = false;
  EXPECT_THAT(refusal(), HasSubstr("another run: sequence was true, is false"));
  plan_options_.sequence = true;
  options_.warm_start = Start::guess;
  EXPECT_THAT(refusal(), HasSubstr("another run: warm_start was \"zero\", is \"guess\""));
}

TEST_F(SequenceRun, ShardsCutNoChain) {
  solvers_.push_back(scripted_from("second", count_up));
  const nlohmann::json whole = without_times(run());
  for (const int count : {2, 4, 7}) {
    std::size_t records = 0;
    for (int number = 1; number <= count; ++number) {
      plan_options_.shard = results::Shard{number, count};
      const nlohmann::json shard = without_times(run());
      for (const auto& record : shard["records"])
        EXPECT_THAT(whole["records"], testing::Contains(record));
      records += shard["records"].size();
    }
    EXPECT_EQ(records, whole["records"].size()) << count << " shards";
  }
}

TEST_F(SequenceRun, AProblemIsHandedOutAfterTheOneBeforeIsDone) {
  const Plan planned = plan();  // in the order of names
  Schedule schedule(planned);
  const PairIndex step5{4, 0}, step10{0, 0}, step20{1, 0}, step30{2, 0}, step40{3, 0};
  EXPECT_EQ(schedule.previous(step20), step10);
  EXPECT_FALSE(schedule.previous(step30));
  EXPECT_TRUE(schedule.has_next(step5));
  EXPECT_FALSE(schedule.has_next(step20));
  EXPECT_EQ(schedule.take(), step30);  // first in the plan of those that wait for nothing
  EXPECT_EQ(schedule.take(), step5);
  EXPECT_FALSE(schedule.take());  // the others wait
  schedule.done(step5);
  EXPECT_TRUE(schedule.has_left(step10.first));
  EXPECT_EQ(schedule.take(), step10);
  EXPECT_FALSE(schedule.has_left(step10.first));
  schedule.done(step30);
  EXPECT_EQ(schedule.take(), step40);
  schedule.done(step40);
  EXPECT_FALSE(schedule.take());
  schedule.done(step10);
  EXPECT_EQ(schedule.take(), step20);
}

// One problem, whose file has what a test puts there.
class WarmStart : public testing::Test {
 protected:
  WarmStart() : problem_(test::random_problem(3, 3, 12, 1, 1)) { options_.repeat_time = 0; }
  results::Document run(const std::vector<ConfiguredSolver>& solvers,
                        const std::optional<Vector>& solution, const std::vector<Vector>& guesses) {
    fclib::ProblemFile file{problem_, {}, {}, {}};
    if (solution) file.solution.emplace().r = *solution;
    for (const Vector& guess : guesses) file.guesses.emplace_back().r = guess;
    std::filesystem::remove(folder_.file("problem.hdf5"));
    fclib::write_problem(folder_.file("problem.hdf5"), file);
    RunObserver silent;
    const Plan plan = make_plan(folder_.problems(), solvers, {});
    return bench::run(plan, solvers, options_, silent).value();
  }

  test::ProblemFolder folder_;
  ContactProblem problem_;
  RunOptions options_;
};

TEST_F(WarmStart, IsTheFirstGuessOrTheSolution) {
  const std::vector<ConfiguredSolver> count{scripted_from("count", count_up)};
  const Vector ones = Vector::Ones(9);
  const auto length = [&](Start start) {
    options_.warm_start = start;
    const results::Document document = run(count, ones * 6, {ones * 2, ones * 4});
    EXPECT_EQ(document.run.warm_start, start);
    EXPECT_EQ(document.records[0].start, start);
    return document.records[0].verdict.value().impulse_norm / 3;
  };
  EXPECT_DOUBLE_EQ(length(Start::zero), 1);
  EXPECT_DOUBLE_EQ(length(Start::guess), 3);
  EXPECT_DOUBLE_EQ(length(Start::solution), 7);
}

TEST_F(WarmStart, IsSaidToBeZeroWhereTheFileHasNothing) {
  options_.warm_start = Start::guess;
  const results::Document document = run({scripted_from("count", count_up)}, Vector::Ones(9), {});
  EXPECT_EQ(document.records[0].start, Start::zero);
  EXPECT_THAT(document.run.warnings,
              testing::Contains(HasSubstr("1 of 1 pairs started from zero")));
}

TEST_F(WarmStart, TheReasonForZeroIsTold) {
  fclib::ProblemFile file{problem_, {}, {}, {}};
  EXPECT_EQ(start_from_file(file, Start::zero).shortfall, "");
  EXPECT_EQ(start_from_file(file, Start::guess).shortfall, "the file has no guess");
  EXPECT_EQ(start_from_file(file, Start::solution).shortfall, "the file has no solution");
  file.guesses.emplace_back().misfits = {"/guesses/1/u: is odd", "/guesses/1/r: is short"};
  EXPECT_EQ(start_from_file(file, Start::guess).shortfall, "/guesses/1/r: is short");
  file.guesses[0].misfits.clear();
  EXPECT_EQ(start_from_file(file, Start::guess).shortfall, "the file has no impulse in its guess");
  EXPECT_EQ(start_from_file(file, Start::guess).start, Start::zero);
}

TEST_F(WarmStart, AZeroGuessChangesNothing) {
  const Registry registry = solvers::all_solvers();
  std::vector<ConfiguredSolver> all;
  for (const std::string& solver : registry.ready_names()) all.push_back(registry.make(solver));
  const auto work = [&](Start start) {
    options_.warm_start = start;
    nlohmann::json document = results::to_json(run(all, std::nullopt, {Vector::Zero(9)}));
    for (auto& record : document["records"])
      for (const char* name : {"time", "memory_peak", "hardware", "start"}) record.erase(name);
    return document["records"];
  };
  EXPECT_EQ(work(Start::guess), work(Start::zero));
}

TEST_F(WarmStart, FromABetterAnswerGaussSeidelTakesOneSweep) {
  const ConfiguredSolver pgs = solvers::all_solvers().make("ncp-pgs");
  const results::Document cold = run({pgs}, std::nullopt, {});
  ASSERT_GT(cold.records[0].work.sweeps, 1);
  Limits limits;
  limits.tolerance = 1e-9;
  const Vector answer = pgs.solver->solve(problem_, limits).r;
  options_.warm_start = Start::solution;
  options_.history = true;
  options_.repeat_time = 1e-3;
  const results::Record warm = run({pgs}, answer, {}).records[0];
  EXPECT_EQ(warm.status, Status::converged);
  EXPECT_EQ(warm.iterations, 1);
  EXPECT_EQ(warm.work.sweeps, 1);
  EXPECT_EQ(warm.history.size(), 1u);  // it starts there, too
}

}  // namespace
}  // namespace frictionbench::bench
