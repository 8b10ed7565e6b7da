/// \file
/// Problems of a few contacts, as robots have them: what a library call costs, cold and warm, how many
/// a batch solves in a second, and what it costs to have several of them, islands, in one problem.
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
#include "support/joined_problems.hpp"

namespace frictionbench::bench {
namespace {

struct Problem {
  ContactProblem problem;
  Limits limits;
};

Problem limited(ContactProblem problem) {
  Limits limits;
  limits.units = units_of(Scale::relative, problem);
  limits.max_iterations = 2000;
  return {std::move(problem), std::move(limits)};
}

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
    problems.push_back(limited(std::move(problem)));
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

/// A batch of all of them, and each alone: microseconds per contact.
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

// 22 plain ones, spread over all.
std::vector<Problem> some_parts() {
  constexpr std::size_t count = 22;
  std::vector<Problem> all = problems_of(3, 10);
  std::erase_if(
      all, [](const Problem& p) { return p.problem.dimension() != 3 || !p.problem.is_plain(); });
  std::vector<Problem> parts;
  for (std::size_t k = 0; k < count && all.size() >= count; ++k)
    parts.push_back(all[k * all.size() / count]);
  return parts;
}

/// The time of the whole over the sum of its parts', warm, in turns.
void islands(benchmark::State& state) {
  const std::vector<Problem> parts = some_parts();
  if (parts.empty()) {
    state.SkipWithError("too few files");
    return;
  }
  std::vector<ContactProblem> problems;
  for (const Problem& part : parts) problems.push_back(part.problem);
  const Problem whole = limited(test::join(problems));
  const auto solver = solvers::all_solvers().make("ncp-hybrid").solver;
  std::vector<Result> results(parts.size());
  Result result;
  seconds_of(*solver, whole, result);
  std::vector<double> ratios, of_whole;
  for (auto _ : state) {
    double sum = 0;
    for (std::size_t k = 0; k < parts.size(); ++k) sum += seconds_of(*solver, parts[k], results[k]);
    of_whole.push_back(seconds_of(*solver, whole, result));
    ratios.push_back(of_whole.back() / sum);
  }
  state.counters["contacts"] = static_cast<double>(whole.problem.contacts());
  state.counters["unsolved"] = result.status != Status::converged;
  state.counters["whole_us"] = 1e6 * quantile(of_whole, 0.5);
  state.counters["whole_over_parts"] = quantile(ratios, 0.5);
}

constexpr const char* others = "ncp-hybrid(active_set=0)";

BENCHMARK_CAPTURE(few_contacts, hybrid_3_to_10, "ncp-hybrid", 3, 10)->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK_CAPTURE(few_contacts, hybrid_11_to_20, "ncp-hybrid", 11, 20)->Arg(1)->UseRealTime();
BENCHMARK_CAPTURE(few_contacts, hybrid_21_to_40, "ncp-hybrid", 21, 40)->Arg(1)->UseRealTime();
// What stages by active sets gain.
BENCHMARK_CAPTURE(few_contacts, others_3_to_10, others, 3, 10)->Arg(1)->UseRealTime();
BENCHMARK_CAPTURE(few_contacts, others_11_to_20, others, 11, 20)->Arg(1)->UseRealTime();
BENCHMARK_CAPTURE(few_contacts, others_21_to_40, others, 21, 40)->Arg(1)->UseRealTime();
BENCHMARK(islands)->UseRealTime();

}  // namespace
}  // namespace frictionbench::bench
