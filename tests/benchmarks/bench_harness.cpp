/// \file
/// What the harness itself costs a (problem, solver) pair: everything but the solves. The bar: less
/// than 3 ms a pair for a problem of 100 contacts.

#include <benchmark/benchmark.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "frictionbench/bench/measure/measure.hpp"
#include "frictionbench/bench/process/internal/worker.hpp"
#include "frictionbench/bench/run/internal/journal.hpp"
#include "frictionbench/bench/run/runner.hpp"
#include "frictionbench/criteria/verdict.hpp"
#include "frictionbench/fclib/writer.hpp"
#include "frictionbench/results/document/json.hpp"
#include "support/problems.hpp"
#include "support/scripted_solver.hpp"
#include "support/temporary_folder.hpp"

namespace frictionbench::bench {
namespace {

constexpr Index contacts = 100;

/// As dense as a heap of bodies: as many degrees of freedom as half of the unknowns.
const ContactProblem& problem() {
  static const ContactProblem made = test::random_problem(3, contacts, 150, 1, 1e-3);
  return made;
}

/// Answers immediately, with an impulse that takes the whole verdict to refute.
ConfiguredSolver idle(const std::string& name) {
  return test::scripted(name, [](const ContactProblem& given) {
    Result result;
    result.status = Status::converged;
    result.r = Vector::Zero(given.unknowns());
    return result;
  });
}

constexpr results::SolveSettings one_sample = [] {
  results::SolveSettings options;
  options.repeat_time = 0;
  return options;
}();

results::Record record() { return measure(problem(), idle("idle"), one_sample).record; }

/// A whole run of `range` pairs, journal on disk. The time of an iteration over the counter `pairs`
/// is what a pair costs, with its share of reading and describing the problem.
void run_pairs(benchmark::State& state) {
  const test::TemporaryFolder folder;
  fclib::write_problem(folder.file("problem.hdf5"), {problem(), {}, {}, {}});
  const auto problems = find_problems({folder.path().string()});
  std::vector<ConfiguredSolver> solvers;
  for (int k = 0; k < state.range(0); ++k) solvers.push_back(idle("idle" + std::to_string(k)));
  const Plan plan = make_plan(problems, solvers, {});
  RunOptions options;
  static_cast<results::SolveSettings&>(options) = one_sample;
  options.journal = folder.file("journal");
  RunObserver silent;
  for (auto _ : state) {
    std::filesystem::remove(options.journal);
    benchmark::DoNotOptimize(run(plan, solvers, options, silent));
  }
  state.counters["s_per_pair"] = benchmark::Counter(
      static_cast<double>(state.range(0)),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(run_pairs)->Arg(1)->Arg(51)->UseRealTime()->Unit(benchmark::kMillisecond);

void empty_worker(benchmark::State& state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(run_in_child([] { return std::string(); }, {.wall = 10}));
}
BENCHMARK(empty_worker)->UseRealTime()->Unit(benchmark::kMicrosecond);

void journal_record(benchmark::State& state) {
  const test::TemporaryFolder folder;
  Journal journal = Journal::start(folder.file("journal"), {});
  const results::Record kept = record();
  for (auto _ : state) journal.add(kept, {});
}
BENCHMARK(journal_record)->UseRealTime()->Unit(benchmark::kMicrosecond);

void measure_idle(benchmark::State& state) {
  const ConfiguredSolver solver = idle("idle");
  for (auto _ : state) benchmark::DoNotOptimize(measure(problem(), solver, one_sample));
}
BENCHMARK(measure_idle)->Unit(benchmark::kMicrosecond);

void judge_zero(benchmark::State& state) {
  const Vector r = Vector::Zero(problem().unknowns());
  for (auto _ : state) benchmark::DoNotOptimize(judge(problem(), r));
}
BENCHMARK(judge_zero)->Unit(benchmark::kMicrosecond);

void record_to_json_and_back(benchmark::State& state) {
  const results::Record kept = record();
  for (auto _ : state) {
    const std::string text = results::to_json(kept).dump();
    benchmark::DoNotOptimize(results::record_from_json(nlohmann::json::parse(text)));
  }
}
BENCHMARK(record_to_json_and_back)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace frictionbench::bench
