#include "comparison_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "frictionbench/base/number_of.hpp"
#include "summary_table.hpp"
#include "table.hpp"

namespace frictionbench::app {

using results::Change;
using results::Difference;
using results::Outcome;
using results::PairComparison;

namespace {

bool is_qualitative(const Difference& difference) {
  return difference.what == "solved" || difference.what == "status";
}

std::string outcome_text(const std::optional<Outcome>& outcome) {
  if (!outcome) return "";
  if (!outcome->solved) return std::string(name(outcome->status));
  return outcome->status == Status::converged ? "solved"
                                              : fmt::format("solved ({})", name(outcome->status));
}

std::string residual_text(double residual) {
  return std::isfinite(residual) ? fmt::format("{:.2e}", residual) : "not finite";
}

std::string value_text(const Difference& difference, double value,
                       const std::optional<Outcome>& outcome) {
  if (difference.what == "time")
    return measured_text(value) +
           (outcome && outcome->samples == 1 ? ", single cold sample per round" : "");
  if (difference.what == "residual") return residual_text(value);
  return fmt::format("{:.0f}", value);
}

// Percentages say more near 1, factors far above it.
std::string ratio_text(double ratio) {
  if (std::isinf(ratio)) return "from 0";
  return ratio < 10 ? fmt::format("{:+.3g} %", 100 * (ratio - 1)) : fmt::format("x {:.3g}", ratio);
}

std::string unsolved_residual(const PairComparison& pair) {
  const auto& outcome = pair.baseline->solved ? pair.candidate : pair.baseline;
  return outcome->residual ? "residual " + residual_text(*outcome->residual) : "";
}

std::string what_text(const PairComparison& pair) {
  const auto others = std::count_if(pair.differences.begin(), pair.differences.end(),
                                    [&](const Difference& d) { return d.change == pair.change; });
  return pair.differences.front().what + (others > 1 ? fmt::format(", {} more", others - 1) : "");
}

std::vector<std::string> change_cells(const PairComparison& pair) {
  std::vector<std::string> cells{std::string(name(pair.change)), pair.solver, pair.problem};
  if (pair.differences.empty()) {  // lost or new
    cells.insert(cells.end(), {"", outcome_text(pair.baseline), outcome_text(pair.candidate), ""});
    return cells;
  }
  const Difference& gravest = pair.differences.front();
  cells.insert(cells.end(), {what_text(pair), baseline_text(pair, gravest),
                             candidate_text(pair, gravest), amount_text(pair, gravest)});
  return cells;
}

// Solvers whose pairs are all lost or all new, and how many pairs that are.
std::map<std::string, int> whole_solvers(const results::Comparison& comparison) {
  std::map<std::string, int> whole;
  for (const results::SolverComparison& solver : comparison.solvers)
    if (solver.counts == results::ChangeCounts{.lost = solver.counts.lost} ||
        solver.counts == results::ChangeCounts{.added = solver.counts.added})
      whole[solver.solver] = solver.counts.lost + solver.counts.added;
  return whole;
}

std::string count_text(int count) { return count ? fmt::format("{}", count) : ""; }

}  // namespace

std::string verdict_sentence(const results::ChangeCounts& counts) {
  std::string text = fmt::format("{} worse, {} better, {} the same, {} lost, {} new",
                                 number_of(static_cast<std::size_t>(counts.worse), "pair"),
                                 counts.better, counts.same, counts.lost, counts.added);
  if (counts.changed > 0) text += fmt::format(", {} changed", counts.changed);
  return text;
}

std::string file_text(const ComparedFile& file) {
  return fmt::format("{} (started {}, {})", file.path, file.run.started, revision_text(file.run));
}

std::string amount_text(const PairComparison& pair, const Difference& difference) {
  if (difference.what == "solved") return unsolved_residual(pair);
  if (difference.what == "status") return "";
  if (difference.what == "residual")
    return std::isfinite(difference.ratio) ? fmt::format("x {:.3g}", difference.ratio) : "";
  if (difference.interval)
    return fmt::format("x {:.3g} ({:.3g} to {:.3g})", difference.ratio, difference.interval->low,
                       difference.interval->high);
  return ratio_text(difference.ratio);
}

std::string baseline_text(const PairComparison& pair, const Difference& difference) {
  return is_qualitative(difference) ? outcome_text(pair.baseline)
                                    : value_text(difference, difference.baseline, pair.baseline);
}

std::string candidate_text(const PairComparison& pair, const Difference& difference) {
  return is_qualitative(difference) ? outcome_text(pair.candidate)
                                    : value_text(difference, difference.candidate, pair.candidate);
}

const std::vector<std::string> change_header{"change",   "solver",    "problem",    "what",
                                             "baseline", "candidate", "by how much"};

std::vector<ChangeRow> change_rows(const results::Comparison& comparison) {
  std::map<std::string, int> whole = whole_solvers(comparison);
  std::vector<ChangeRow> rows;
  for (const PairComparison& pair : comparison.pairs) {
    if (pair.change == Change::same) continue;
    const auto found = whole.find(pair.solver);
    if (found == whole.end()) {
      rows.push_back({pair.change, change_cells(pair)});
    } else if (found->second > 0) {
      rows.push_back({pair.change,
                      {std::string(name(pair.change)), pair.solver,
                       fmt::format("all ({})", found->second), "", "", "", ""}});
      found->second = 0;  // said once
    }
  }
  return rows;
}

SolverTable solver_table(const results::Comparison& comparison) {
  SolverTable table{{"solver", "same", "better", "worse", "lost", "new"}, {}};
  const bool changed = comparison.counts.changed > 0;
  if (changed) table.header.push_back("changed");
  std::set<std::string> counters;
  for (const results::SolverComparison& solver : comparison.solvers)
    for (const auto& [counter, ratio] : solver.median_ratios) counters.insert(counter);
  table.header.insert(table.header.end(), counters.begin(), counters.end());

  for (const auto& [solver, counts, ratios] : comparison.solvers) {
    std::vector<std::string> row{solver,
                                 fmt::format("{}", counts.same),
                                 count_text(counts.better),
                                 count_text(counts.worse),
                                 count_text(counts.lost),
                                 count_text(counts.added)};
    if (changed) row.push_back(count_text(counts.changed));
    for (const std::string& counter : counters)
      row.push_back(ratios.contains(counter) ? ratio_text(ratios.at(counter)) : "");
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace frictionbench::app
