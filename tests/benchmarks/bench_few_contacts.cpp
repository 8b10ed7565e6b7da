/// \file
/// Problems of a few contacts, as robots have them: what a library call costs, cold and warm, and how
/// many a batch solves in a second.
///
/// The problems are those of at most 40 contacts in the default data set and in the collection of real
/// files, if it is there. Tolerance 1e-6, relative.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/solver/batch.hpp"
#include "frictionbench/solvers/register_all.hpp"

namespace frictionbench::bench {
namespace {

struct Problem {
  ContactProblem problem;
  Limits limits;
};

std::vector<Problem> problems_of(Index fewest, Index most) {
  std::vector<std::filesystem::path> files;
  for (const auto* folder :
       {FRICTIONBENCH_SOURCE_DIR "/datasets/default", FRICTIONBENCH_FCLIB_DATA "/fclib/local"}) {
    if (!std::filesystem::exists(folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".hdf5") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Problem> problems;
  for (const auto& file : files) {
    ContactProblem problem = fclib::read_problem(file).problem;
    if (problem.contacts() < fewest || problem.contacts() > most) continue;
    if (problem.bilateral_rows() > 0) continue;
    Limits limits;
    limits.units = units_of(Scale::relative, problem);
    limits.max_iterations = 2000;
    problems.push_back({std::move(problem), std::move(limits)});
  }
  return problems;
}

double seconds_of(const Solver& solver, const Problem& problem, Result& result) {
  Observer silent;
  const Vector zero;
  const auto start = std::chrono::steady_clock::now();
  result = solver.solve(problem.problem, problem.limits, zero, silent, std::move(result));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

/// A batch of all of them, and each alone: microseconds a contact.
void few_contacts(benchmark::State& state, const char* spec, Index fewest, Index most) {
  const std::vector<Problem> problems = problems_of(fewest, most);
  if (problems.empty()) {
    state.SkipWithError("no files");
    return;
  }
  const auto solver = solvers::all_solvers().make(spec).solver;

  constexpr int repetitions = 41;
  std::vector<double> cold, warm;
  int unsolved = 0;
  for (const Problem& problem : problems) {
    const double unit = 1e-6 * static_cast<double>(problem.problem.contacts());
    Result result;
    cold.push_back(seconds_of(*solver, problem, result) / unit);
    unsolved += result.status != Status::converged;
    std::vector<double> again;
    for (int k = 0; k < repetitions; ++k) again.push_back(seconds_of(*solver, problem, result));
    warm.push_back(quantile(again, 0.5) / unit);
  }

  std::vector<BatchedSolve> batch;
  for (const Problem& problem : problems) batch.push_back({&problem.problem, problem.limits, {}});
  std::vector<Result> results;
  for (auto _ : state)
    results = solve_batch(*solver, batch, static_cast<int>(state.range(0)), std::move(results));

  const auto count = static_cast<double>(problems.size());
  state.counters["problems"] = count;
  state.counters["unsolved"] = unsolved / count;
  state.counters["solves_per_s"] =
      benchmark::Counter(count, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["cold_mean_us"] = geometric_mean(cold);
  state.counters["mean_us"] = geometric_mean(warm);
  for (const int percent : {50, 95, 99, 100})
    state.counters["p" + std::to_string(percent) + "_us"] = quantile(warm, percent / 100.0);
}

constexpr const char* others = "ncp-hybrid(active_set=0)";

BENCHMARK_CAPTURE(few_contacts, hybrid_3_to_10, "ncp-hybrid", 3, 10)->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK_CAPTURE(few_contacts, hybrid_11_to_20, "ncp-hybrid", 11, 20)->Arg(1)->UseRealTime();
BENCHMARK_CAPTURE(few_contacts, hybrid_21_to_40, "ncp-hybrid", 21, 40)->Arg(1)->UseRealTime();
// What stages by active sets gain.
BENCHMARK_CAPTURE(few_contacts, others_3_to_10, others, 3, 10)->Arg(1)->UseRealTime();
BENCHMARK_CAPTURE(few_contacts, others_11_to_20, others, 11, 20)->Arg(1)->UseRealTime();
BENCHMARK_CAPTURE(few_contacts, others_21_to_40, others, 21, 40)->Arg(1)->UseRealTime();

}  // namespace
}  // namespace frictionbench::bench
