#include "frictionbench/results/document/summary.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace frictionbench::results {

namespace {

// The time of a record that may enter a mean.
const SampleSummary* time_of(const Document& document, const Record& record) {
  return document.solved(record) && record.time.solve ? &*record.time.solve : nullptr;
}

// NaN is a value that was not measured.
void take_largest(double value, std::optional<double>& largest) {
  if (!std::isnan(value)) largest = std::max(value, largest.value_or(value));
}

// Collects the records of one row.
struct Tally {
  SummaryRow row;
  std::vector<double> times, equivalents, iterations, factorizations;

  void take(const Document& document, const Record& record) {
    ++row.problems;
    const bool solved = document.solved(record);
    const bool solved_native = record.solved.under(Criterion::native, document.run.scale);
    row.solved += solved;
    row.solved_native += solved_native;
    count(record.status);
    if (record.own_model) take_largest(record.own_model->gap, row.model_gap);
    if ((solved || solved_native) && record.verdict) {
      take_largest(record.verdict->creep, row.creep);
      take_largest(record.verdict->lift, row.lift);
    }
    if (const SampleSummary* time = time_of(document, record)) {
      times.push_back(time->median);
      if (const auto cost = record.time.cholesky_equivalents()) equivalents.push_back(*cost);
    }
    if (!solved) return;
    iterations.push_back(record.iterations);
    factorizations.push_back(static_cast<double>(record.work.factorizations.all()));
  }

  SummaryRow finished() {
    const auto spread = [](const std::vector<double>& values) -> std::optional<Spread> {
      if (values.empty()) return std::nullopt;
      return Spread{mean(values), standard_deviation(values)};
    };
    if (!times.empty()) row.time = shifted_geometric_mean(times, time_shift);
    if (!equivalents.empty()) row.cholesky_equivalents = shifted_geometric_mean(equivalents, 0);
    row.iterations = spread(iterations);
    row.factorizations = spread(factorizations);
    return row;
  }

 private:
  void count(Status status) {
    row.wrong += status == Status::wrong;
    row.other_model += status == Status::other_model;
    row.timed_out += status == Status::time_limit;
    row.refused += status == Status::refused;
    row.failed += status == Status::crashed || status == Status::error ||
                  status == Status::memory_limit || status == Status::diverged ||
                  status == Status::not_repeatable;
  }
};

}  // namespace

std::vector<SummaryRow> summarize(const Document& document) {
  std::vector<std::string> families;
  std::map<std::string, const ProblemEntry*> problems;
  for (const ProblemEntry& problem : document.problems) {
    problems[problem.id] = &problem;
    if (std::find(families.begin(), families.end(), problem.family) == families.end())
      families.push_back(problem.family);
  }
  if (families.size() > 1) families.push_back("all");

  std::map<std::pair<std::string, std::string>, Tally> tallies;
  for (const Record& record : document.records) {
    tallies[{problems.at(record.problem)->family, record.solver}].take(document, record);
    if (families.back() == "all") tallies[{"all", record.solver}].take(document, record);
  }

  std::vector<SummaryRow> rows;
  for (const std::string& family : families)
    for (const SolverEntry& solver : document.solvers) {
      const auto found = tallies.find({family, solver.id});
      if (found == tallies.end()) continue;
      SummaryRow row = found->second.finished();
      row.family = family;
      row.solver = solver.id;
      rows.push_back(std::move(row));
    }
  return rows;
}

std::optional<SampleCounts> samples_of_solved(const Document& document) {
  std::optional<SampleCounts> counts;
  for (const Record& record : document.records)
    if (const SampleSummary* time = time_of(document, record)) {
      if (!counts) counts = SampleCounts{time->samples, time->samples};
      counts->fewest = std::min(counts->fewest, time->samples);
      counts->most = std::max(counts->most, time->samples);
    }
  return counts;
}

}  // namespace frictionbench::results
