#include "frictionbench/bench/run/runner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "frictionbench/bench/measure/measure.hpp"
#include "frictionbench/results/document/json.hpp"
#include "frictionbench/solvers/register_all.hpp"
#include "support/problem_folder.hpp"
#include "support/problems.hpp"
#include "support/scripted_solver.hpp"

namespace frictionbench::bench {
namespace {

using test::scripted;
using test::vector;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

Result answer(Status status, Vector r) {
  Result result;
  result.status = status;
  result.r = std::move(r);
  return result;
}

class Runner : public testing::Test {
 protected:
  // A contact that slides: the NCP and the CCP answer differ.
  Runner() {
    folder_.write("A/slide.hdf5", test::one_contact(vector({1, 1, 1}), vector({-1, 3, 0}), 0.5));
    options_.repeat_time = 0;
    options_.time_limit = 1;
  }
  results::Document run(const std::vector<ConfiguredSolver>& solvers) {
    RunObserver silent;
    const Plan plan = make_plan(folder_.problems(), solvers, {});
    return bench::run(plan, solvers, options_, silent).value();
  }
  results::Record run_one(test::Script script, ContactModel model = ContactModel::ncp) {
    return run({scripted("scripted", std::move(script), model)}).records.at(0);
  }

  test::ProblemFolder folder_;
  RunOptions options_;
};

const Vector ncp_answer = vector({1, -0.5, 0});

TEST_F(Runner, ConfirmsAGoodAnswer) {
  const auto record = run_one([](const auto&) { return answer(Status::converged, ncp_answer); });
  EXPECT_EQ(record.status, Status::converged);
  EXPECT_TRUE(record.solved.ncp.relative);
  EXPECT_TRUE(record.solved.ncp.absolute);
  EXPECT_TRUE(record.solved.native.relative);
  EXPECT_FALSE(record.solved.ccp.relative);
  EXPECT_FALSE(record.solved.ccp.absolute);
  EXPECT_EQ(record.problem, "A/slide");
  EXPECT_EQ(record.verdict->states.sliding, 1);
}

// W is not made for a solver that has no use for it, whatever other solvers the run has; the verdict
// comes from M and H then.
TEST_F(Runner, DoesWithoutWWhereASolverDoes) {
  test::ProblemFolder folder;
  folder.write("A/global.hdf5", test::random_global_problem(3, 4, 3, 2));
  options_.tolerance = 1e-8;
  RunObserver silent;
  const auto records = [&](const std::vector<ConfiguredSolver>& solvers) {
    const Plan plan = make_plan(folder.problems(), solvers, {});
    Plan copy = plan;
    EXPECT_EQ(find_refusals(copy, solvers).size(), 0u);
    return bench::run(plan, solvers, options_, silent).value();
  };
  const Registry registry = solvers::all_solvers();
  const ConfiguredSolver bodies = registry.make("ncp-nsgs(form=global)"),
                         rows = registry.make("ncp-nsgs");
  const results::Document alone = records({bodies}), both = records({rows, bodies});
  const results::Record &one = alone.records.at(0), &other = both.records.at(1);
  EXPECT_TRUE(one.solved.ncp.relative) << one.message;
  EXPECT_FALSE(one.time.cholesky) << "a factorisation of W";
  EXPECT_TRUE(both.records.at(0).time.cholesky);
  EXPECT_EQ(one.impulse_sha256, other.impulse_sha256);
  EXPECT_EQ(one.work, other.work);
  EXPECT_EQ(one.verdict->ncp.max(), other.verdict->ncp.max());
  EXPECT_EQ(alone.problems.at(0).nonzeros, both.problems.at(0).nonzeros);
  EXPECT_EQ(alone.problems.at(0).islands, both.problems.at(0).islands);
}

TEST_F(Runner, RefutesAFalseClaim) {
  const auto record = run_one([](const auto&) {
    return answer(Status::converged, vector({1, 0, 0}));
  });
  EXPECT_EQ(record.status, Status::wrong);
  EXPECT_THAT(record.message, HasSubstr("relative ncp residual"));
  const auto nan = run_one([](const auto&) {
    return answer(Status::converged, vector({1, NAN, 0}));
  });
  EXPECT_EQ(nan.status, Status::wrong);
}

TEST_F(Runner, SaysWhenAnotherModelWasSolved) {
  const std::vector<ConfiguredSolver> ccp{solvers::all_solvers().make("ccp-pgs")};
  const auto record = run(ccp).records.at(0);
  EXPECT_EQ(record.status, Status::other_model);
  EXPECT_THAT(record.message, HasSubstr("its own model, ccp"));
  EXPECT_TRUE(record.solved.native.relative);
  EXPECT_FALSE(record.solved.ncp.relative);
  options_.criterion = Criterion::native;
  EXPECT_EQ(run(ccp).records.at(0).status, Status::converged);
}

TEST_F(Runner, WarnsWhereFrictionHidesPenetration) {
  const auto nothing = [](const auto&) { return answer(Status::converged, Vector::Zero(3)); };
  const auto warning = HasSubstr("may hide penetration");
  EXPECT_THAT(run({scripted("scripted", nothing)}).run.warnings, Not(Contains(warning)));
  folder_.write("B/rough.hdf5", test::one_contact(vector({1, 1, 1}), vector({-1, 1, 0}), 1e6));
  const auto document = run({scripted("scripted", nothing)});
  EXPECT_THAT(document.run.warnings, Contains(warning));
  const auto& record = document.records.at(1);
  EXPECT_EQ(record.status, Status::converged) << "which is why";
  EXPECT_EQ(record.verdict->signorini.velocity, 1);
}

TEST_F(Runner, ASolutionCountsWhateverTheSolverSaysOfIt) {
  const auto record =
      run_one([](const auto&) { return answer(Status::max_iterations, ncp_answer); });
  EXPECT_EQ(record.status, Status::max_iterations);
  EXPECT_TRUE(record.solved.ncp.absolute);
}

TEST_F(Runner, BrokenFilesAreReportedAndSkipped) {
  std::ofstream(folder_.path() / "A/broken.hdf5") << "nothing of the kind";
  GlobalForm singular{test::sparse(Matrix::Zero(3, 3)), test::sparse(Matrix::Ones(3, 3)),
                      Vector::Zero(3), Vector::Zero(3)};
  folder_.write("A/singular.hdf5", ContactProblem(3, vector({0.5}), singular));
  const auto document = run({solvers::all_solvers().make("ncp-pgs")});
  EXPECT_EQ(document.records.size(), 1u);
  ASSERT_EQ(document.unreadable.size(), 2u);
  EXPECT_THAT(document.unreadable[0].reason, HasSubstr("broken.hdf5"));
  EXPECT_THAT(document.unreadable[1].reason, HasSubstr("M: is singular"));
}

TEST_F(Runner, SamplesUntilTheRepeatTime) {
  options_.repeat_time = 0.02;
  const auto record = run({solvers::all_solvers().make("ncp-pgs")}).records.at(0);
  ASSERT_TRUE(record.time.solve);
  EXPECT_GT(record.time.solve->samples, 1);
  EXPECT_LE(record.time.solve->min, record.time.solve->median);
  ASSERT_TRUE(record.time.setup);
  options_.max_samples = 2;
  EXPECT_EQ(run({solvers::all_solvers().make("ncp-pgs")}).records.at(0).time.solve->samples, 2);
  options_.repeat_time = 0;
  EXPECT_EQ(run({solvers::all_solvers().make("ncp-pgs")}).records.at(0).time.solve->samples, 1);
}

TEST_F(Runner, HistoriesAndConditionsAreKeptWhereAskedFor) {
  folder_.write("B/many.hdf5", test::random_problem(3, 9, 20, 1, 0.1));
  const std::vector<ConfiguredSolver> pgs{solvers::all_solvers().make("ncp-pgs")};
  const auto plain = run(pgs);
  EXPECT_TRUE(plain.records[1].history.empty());
  EXPECT_FALSE(plain.problems[1].condition);
  options_.history = options_.condition = true;
  const auto document = run(pgs);
  const std::vector<Iterate>& history = document.records[1].history;
  ASSERT_GT(history.size(), 2u);
  EXPECT_EQ(history.back().iteration, document.records[1].iterations);
  EXPECT_GT(history.front().residuals.max(), history.back().residuals.max());
  EXPECT_GT(document.problems[1].condition.value(), 1);
  EXPECT_EQ(document.problems[0].condition.value(), 1);  // W = I
}

TEST(Thinned, KeepsTheEndsAndSpreadsTheRest) {
  std::vector<Iterate> history(20000);
  for (std::size_t k = 0; k < history.size(); ++k) history[k].iteration = static_cast<int>(k + 1);
  const auto kept = thinned(history, 200);
  EXPECT_EQ(kept.size(), 200u);
  EXPECT_EQ(kept.front().iteration, 1);
  EXPECT_EQ(kept.back().iteration, 20000);
  for (std::size_t k = 1; k < kept.size(); ++k) EXPECT_LT(kept[k - 1].iteration, kept[k].iteration);
  EXPECT_LT(kept[100].iteration, 1000);  // half of the rows for the first decades
  EXPECT_EQ(thinned({history.begin(), history.begin() + 150}, 200).size(), 150u);
}

TEST_F(Runner, RepeatsItselfButForTimes) {
  folder_.write("B/many.hdf5", test::random_problem(3, 9, 20, 1, 0.1));
  const auto without_times = [&] {
    nlohmann::json document = results::to_json(
        run({solvers::all_solvers().make("ncp-pgs"), solvers::all_solvers().make("ncp-admm")}));
    for (auto& record : document["records"]) record.erase("time"), record.erase("memory_peak");
    document.erase("run");
    return document;
  };
  EXPECT_EQ(without_times(), without_times());
}

// What a solver lends is lent before its process is forked, and given back after that has ended.
TEST_F(Runner, HoldsALeaseForAsLongAsAPairRuns) {
  struct Counted : Lease {
    explicit Counted(int& held) : held_(held) { ++held_; }
    ~Counted() override { --held_; }
    std::vector<int> descriptors() const override { return {}; }
    int& held_;
  };
  int held = 0, lent = 0;
  const auto run_it = [&](const ContactProblem&, const Limits&, const Vector&, Observer&, Result) {
    Result result = answer(Status::stalled, ncp_answer);
    result.iterations = held;
    return result;
  };
  const auto lend = [&](const Workplace& workplace) {
    EXPECT_TRUE(workplace.processor.has_value());
    EXPECT_EQ(workplace.memory_limit, options_.memory_limit);
    EXPECT_EQ(held, 0) << "with one job, one at a time";
    ++lent;
    return std::make_unique<Counted>(held);
  };
  folder_.write("B/slide.hdf5", test::one_contact(vector({1, 1, 1}), vector({-1, 3, 0}), 0.5));
  const ConfiguredSolver lender{
      "lender", {}, std::make_shared<Solver>(SolverInfo{.name = "lender"}, run_it, lend)};
  const results::Document document = run({lender});
  ASSERT_EQ(document.records.size(), 2u);
  for (const results::Record& record : document.records) EXPECT_EQ(record.iterations, 1);
  EXPECT_EQ(lent, 2);
  EXPECT_EQ(held, 0);
}

// A solve would be timed beside that work: the solver takes the next problem away while it is timed.
TEST_F(Runner, ReadsTheNextProblemAfterTheLastPairOfTheOneBefore) {
  folder_.write("B/next.hdf5", test::one_contact(vector({1, 1, 1}), vector({-1, 3, 0}), 0.5));
  const auto next = folder_.path() / "B" / "next.hdf5";
  const auto document = run({scripted("scripted", [&](const auto&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    std::filesystem::remove(next);
    return answer(Status::converged, ncp_answer);
  })});
  EXPECT_EQ(document.records.size(), 1u);
  ASSERT_EQ(document.unreadable.size(), 1u);
  EXPECT_EQ(document.unreadable[0].path, next.string());
}

TEST_F(Runner, MemoryDoesNotContainWhatCameBefore) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer keeps freed memory";
#endif
  constexpr std::int64_t megabyte = 1 << 20;
  const auto peak = [&] {
    return run_one([](const auto&) { return answer(Status::converged, ncp_answer); })
        .memory_peak.value();
  };
  const std::int64_t before = peak();
  std::vector<std::string> pieces;
  for (int k = 0; k < 500000; ++k) pieces.emplace_back(200, 'x');
  const std::string last =
      pieces.back();  // behind the others, which therefore stay with the process
  pieces = {};
  EXPECT_LT(peak(), before + 20 * megabyte);
}

TEST_F(Runner, DocumentSurvivesTheFile) {
  options_.command = {"frictionbench", "run"};
  results::Document document = run({solvers::all_solvers().make("ncp-admm(tau=4)"),
                                    scripted("throw", [](const auto&) -> Result { throw 1; })});
  document.unreadable.push_back({"x.hdf5", "x.hdf5: no"});
  document.records[0].history = {{1, {0.5, 0.25, NAN, 0}, 3}};
  const std::string path = folder_.file("results.json");
  results::write_document(path, document);
  const auto again = results::read_document(path);
  EXPECT_EQ(results::to_json(again), results::to_json(document));
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
}

}  // namespace
}  // namespace frictionbench::bench
