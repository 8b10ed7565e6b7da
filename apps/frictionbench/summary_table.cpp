#include "summary_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "frictionbench/base/atomic_file.hpp"
#include "frictionbench/base/suggestions.hpp"
#include "frictionbench/results/document/summary.hpp"
#include "table.hpp"

namespace frictionbench::app {

namespace {

std::string spread(const std::optional<results::Spread>& value) {
  return value ? fmt::format("{:.1f} ± {:.1f}", value->mean, value->deviation) : "";
}

std::string count(int value) { return value ? fmt::format("{}", value) : ""; }

std::string residual(const std::optional<double>& value) {
  return value ? fmt::format("{:.1e}", *value) : "";
}

std::vector<std::string> outcome_header(const SummaryOptions& options) {
  std::vector<std::string> header{"solved",   "%",          "own model",      "time",
                                  "cholesky", "iterations", "factorizations", "wrong",
                                  "other",    "failed",     "timeout",        "refused"};
  if (options.creep) header.insert(header.end(), {"creep", "lift", "model gap"});
  return header;
}

std::vector<std::string> outcome_cells(const results::SummaryRow& row,
                                       const SummaryOptions& options) {
  std::vector<std::string> cells{
      fmt::format("{}/{}", row.solved, row.problems),
      fmt::format("{:.0f}", 100.0 * row.solved / row.problems),
      fmt::format("{}", row.solved_native),
      row.time ? measured_text(*row.time) : "",
      row.cholesky_equivalents ? fmt::format("{:.3g}", *row.cholesky_equivalents) : "",
      spread(row.iterations),
      spread(row.factorizations),
      count(row.wrong),
      count(row.other_model),
      count(row.failed),
      count(row.timed_out),
      count(row.refused)};
  if (options.creep)
    cells.insert(cells.end(), {residual(row.creep), residual(row.lift), residual(row.model_gap)});
  return cells;
}

// "medians of 5 to 120 samples", or "1 cold sample each".
std::string samples_text(const results::Document& document) {
  const auto samples = results::samples_of_solved(document);
  if (!samples) return "no times";
  if (samples->most == 1) return "1 cold sample each";
  if (samples->fewest == samples->most) return fmt::format("medians of {} samples", samples->most);
  return fmt::format("medians of {} to {} samples",
                     samples->fewest == 1 ? "1 cold sample" : fmt::format("{}", samples->fewest),
                     samples->most);
}

// `first` and then `rest`, as cells of one row.
std::vector<std::string> joined(std::vector<std::string> first,
                                const std::vector<std::string>& rest) {
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

// The row of a solver on a family; over all families if `family` is empty.
std::optional<results::SummaryRow> find_row(const results::Document& document,
                                            const std::string& solver, const std::string& family) {
  std::optional<results::SummaryRow> found;
  for (const results::SummaryRow& row : results::summarize(document))
    if (row.solver == solver && (family.empty() || row.family == family))
      found = row;  // the last one is over all families, or of the only one
  return found;
}

// \throws std::invalid_argument if `wanted` is not among `known`.
void check_known(std::string_view kind, const std::string& wanted,
                 const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), wanted) == known.end())
    throw std::invalid_argument(unknown_name(kind, wanted, known));
}

void check_known(const std::vector<SummarizedFile>& files, const std::string& solver,
                 const std::string& family) {
  std::vector<std::string> solvers, families{"all"};
  const auto add = [](std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const SummarizedFile& file : files) {
    for (const results::SolverEntry& entry : file.document.solvers) add(solvers, entry.id);
    for (const results::ProblemEntry& entry : file.document.problems) add(families, entry.family);
  }
  check_known("solver", solver, solvers);
  if (!family.empty()) check_known("family", family, families);
}

}  // namespace

std::string criterion_text(const results::JudgeSettings& settings) {
  const std::string criterion =
      fmt::format("{} ({})", name(settings.criterion), name(settings.scale));
  if (!settings.compliance) return criterion;
  return fmt::format("{} with compliance {}", criterion, text(*settings.compliance));
}

std::string summary_text(const results::Document& document, const SummaryOptions& options) {
  std::string text = fmt::format(
      "{} problems, {} solvers; criterion {}, tolerance {:g}, at most {} iterations and {:g} s\n\n",
      document.problems.size(), document.solvers.size(), criterion_text(document.run),
      document.run.tolerance, document.run.max_iterations, document.run.time_limit);

  Table table(joined({"family", "solver"}, outcome_header(options)));
  std::string family;
  for (const results::SummaryRow& row : results::summarize(document)) {
    if (!family.empty() && row.family != family) table.add_rule();
    table.add_row(
        joined({row.family == family ? "" : row.family, row.solver}, outcome_cells(row, options)));
    family = row.family;
  }
  if (table.empty()) return text + "no records\n";
  text += table.text();
  text += fmt::format(
      "\nsolved: the verdict, under the run's criterion; own model: under the solver's own model, "
      "with the compliance that it chose\n"
      "time: shifted geometric mean ({:g} ms) of the solve times of solved problems only; {}\n"
      "cholesky: geometric mean of these times over that of one Cholesky factorisation of the same "
      "problem\n"
      "iterations, factorizations: mean ± deviation over solved problems; the first factorisation "
      "counts\n"
      "wrong: the solver reported convergence and the verdict on its own model refutes it; other: "
      "it "
      "solved its own model, not the criterion's\n"
      "failed: crashed, error, memory limit, diverged or not repeatable\n",
      results::time_shift * 1e3, samples_text(document));
  if (options.creep)
    text +=
        "creep: largest slip of loaded contacts inside their cone; lift: largest opening speed of "
        "loaded contacts; both in the units of the files, over the answers that solve the "
        "criterion "
        "or the own model\n"
        "model gap: largest velocity that the compliance chosen by the solver makes, relative\n";

  for (const results::Unreadable& file : document.unreadable)
    text += fmt::format("unreadable: {}\n", file.reason);
  for (const std::string& warning : document.run.warnings)
    text += fmt::format("warning: {}\n", warning);
  return text;
}

std::string revision_text(const results::RunInfo& run) {
  if (run.git_revision.empty()) return "unknown revision";
  return fmt::format("revision {}{}", run.git_revision.substr(0, 9),
                     run.git_dirty.value_or(false) ? " (changed)" : "");
}

std::string summary_text(const std::vector<SummarizedFile>& files, const SummaryOptions& options) {
  if (files.size() == 1) return summary_text(files.front().document, options);
  std::string text;
  for (const auto& [path, document] : files)
    text += fmt::format("{}{}: started {}, {}\n{}", text.empty() ? "" : "\n", path,
                        document.run.started, revision_text(document.run),
                        summary_text(document, options));
  return text;
}

std::string history_text(std::vector<SummarizedFile> files, const std::string& solver,
                         const std::string& family, const SummaryOptions& options) {
  check_known(files, solver, family);
  std::stable_sort(
      files.begin(), files.end(), [](const SummarizedFile& a, const SummarizedFile& b) {
        return a.document.run.started < b.document.run.started;  // ISO 8601 sorts as text
      });
  Table table(joined({"started", "revision", "file", "criterion"}, outcome_header(options)));
  std::vector<std::string> without;
  for (const auto& [path, document] : files) {
    const auto row = find_row(document, solver, family == "all" ? "" : family);
    if (!row) {
      without.push_back(path);
      continue;
    }
    const results::RunInfo& run = document.run;
    table.add_row(
        joined({run.started,
                run.git_revision.substr(0, 9) + (run.git_dirty.value_or(false) ? " (changed)" : ""),
                path, fmt::format("{} {:g}", criterion_text(run), run.tolerance)},
               outcome_cells(*row, options)));
  }
  std::string text =
      fmt::format("{} on {}\n\n{}", solver,
                  family.empty() || family == "all" ? "all problems" : family, table.text());
  for (const std::string& path : without) text += fmt::format("no record: {}\n", path);
  return text;
}

void print_written(const results::Document& document, const std::string& path, std::FILE* stream) {
  fmt::print(stream, "{}", summary_text(document));
  std::fflush(stream);  // before what goes to the other stream
  if (!is_standard_output(path)) fmt::print(stderr, "wrote {}\n", path);
}

}  // namespace frictionbench::app
