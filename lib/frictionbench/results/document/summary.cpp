#include "frictionbench/results/document/summary.hpp"

#include <algorithm>
#include <map>

namespace frictionbench::results {

namespace {

// Collects the records of one row.
struct Tally {
  SummaryRow row;
  std::vector<double> times, iterations, factorizations;

  void take(const Document& document, const Record& record) {
    ++row.problems;
    const bool solved = document.solved(record);
    row.solved += solved;
    row.solved_native += record.solved.under(Criterion::native, document.run.scale);
    row.wrong += record.status == Status::wrong;
    row.timed_out += record.status == Status::time_limit;
    row.refused += record.status == Status::refused;
    row.failed += record.status == Status::crashed || record.status == Status::error ||
                  record.status == Status::memory_limit;
    if (record.status == Status::refused) return;
    times.push_back(solved && record.time.solve ? record.time.solve->median
                                                : document.run.time_limit);
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
    row.iterations = spread(iterations);
    row.factorizations = spread(factorizations);
    return row;
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

}  // namespace frictionbench::results
