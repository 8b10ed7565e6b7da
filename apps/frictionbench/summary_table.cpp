#include "summary_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "frictionbench/base/atomic_file.hpp"
#include "frictionbench/base/number_of.hpp"
#include "frictionbench/base/suggestions.hpp"
#include "frictionbench/results/document/summary.hpp"

namespace frictionbench::app {

namespace {

template <typename T>
Cell cell(const std::optional<T>& value, std::string (*text)(T)) {
  return value ? Cell(*value, text(*value)) : Cell();
}

std::string residual_text(double value) { return fmt::format("{:.1e}", value); }
std::string equivalents_text(double value) { return fmt::format("{:.3g}", value); }

Cell spread(const std::optional<results::Spread>& value) {
  if (!value) return {};
  return {value->mean, fmt::format("{:.1f} ± {:.1f}", value->mean, value->deviation)};
}

Cell deviation(const std::optional<results::Spread>& value) {
  return value ? Cell::data(value->deviation) : Cell();
}

// Zeros are not worth seeing.
Cell count(int value) { return {value, value ? fmt::format("{}", value) : ""}; }

// A column that follows from a row of the summary.
struct OutcomeColumn {
  Column column;
  Cell (*cell)(const results::SummaryRow&);
};
using Row = const results::SummaryRow&;

const std::vector<OutcomeColumn> outcome_columns{
    {{"", "problems"}, [](Row row) { return Cell(row.problems); }},
    {"solved",
     [](Row row) { return Cell(row.solved, fmt::format("{}/{}", row.solved, row.problems)); }},
    {{"%", ""},
     [](Row row) { return Cell(fmt::format("{:.0f}", 100.0 * row.solved / row.problems)); }},
    {{"own model", "solved_native"}, [](Row row) { return Cell(row.solved_native); }},
    {"time", [](Row row) { return cell(row.time, measured_text); }},
    {{"cholesky", "cholesky_equivalents"},
     [](Row row) { return cell(row.cholesky_equivalents, equivalents_text); }},
    {"iterations", [](Row row) { return spread(row.iterations); }},
    {{"", "iterations_deviation"}, [](Row row) { return deviation(row.iterations); }},
    {"factorizations", [](Row row) { return spread(row.factorizations); }},
    {{"", "factorizations_deviation"}, [](Row row) { return deviation(row.factorizations); }},
    {"wrong", [](Row row) { return count(row.wrong); }},
    {{"other", "other_model"}, [](Row row) { return count(row.other_model); }},
    {"failed", [](Row row) { return count(row.failed); }},
    {{"timeout", "timed_out"}, [](Row row) { return count(row.timed_out); }},
    {"refused", [](Row row) { return count(row.refused); }}};

const std::vector<OutcomeColumn> creep_columns{
    {"creep", [](Row row) { return cell(row.creep, residual_text); }},
    {"lift", [](Row row) { return cell(row.lift, residual_text); }},
    {{"model gap", "model_gap"}, [](Row row) { return cell(row.model_gap, residual_text); }}};

// Columns that say which run a row is of; people see them where there is a row per run.
std::vector<Column> run_columns(bool seen) {
  const auto heading = [&](const char* text) { return seen ? text : ""; };
  return {{heading("started"), "started"},
          {heading("revision"), "revision"},
          {heading("file"), "file"},
          {heading("criterion"), "criterion"},
          {"", "scale"},
          {"", "tolerance"}};
}

std::vector<Cell> run_cells(const std::string& path, const results::RunInfo& run) {
  const std::string changed = run.git_dirty.value_or(false) ? " (changed)" : "";
  return {run.started,
          {run.git_revision, run.git_revision.substr(0, 9) + changed},
          path,
          {name(run.criterion), fmt::format("{} {:g}", criterion_text(run), run.tolerance)},
          Cell::data(name(run.scale)),
          Cell::data(run.tolerance)};
}

// Columns of a table of outcomes; people see those of creep only where they asked for them.
std::vector<Column> with_outcomes(std::vector<Column> columns, const std::vector<Column>& what,
                                  const SummaryOptions& options) {
  columns.insert(columns.end(), what.begin(), what.end());
  for (const OutcomeColumn& outcome : outcome_columns) columns.push_back(outcome.column);
  for (const OutcomeColumn& outcome : creep_columns)
    columns.emplace_back(options.creep ? outcome.column.heading : "", outcome.column.name);
  return columns;
}

std::vector<Cell> with_outcomes(std::vector<Cell> cells, const std::vector<Cell>& what,
                                const results::SummaryRow& row) {
  cells.insert(cells.end(), what.begin(), what.end());
  for (const auto* columns : {&outcome_columns, &creep_columns})
    for (const OutcomeColumn& outcome : *columns) cells.push_back(outcome.cell(row));
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

Table empty_outcome_table(const SummaryOptions& options) {
  return Table(with_outcomes(run_columns(false), {"family", "solver"}, options));
}

void add_outcomes(const std::string& path, const results::Document& document, Table& table) {
  std::string family;
  for (const results::SummaryRow& row : results::summarize(document)) {
    if (!family.empty() && row.family != family) table.add_rule();
    table.add_row(with_outcomes(run_cells(path, document.run),
                                {{row.family, row.family == family ? "" : row.family}, row.solver},
                                row));
    family = row.family;
  }
}

}  // namespace

std::string criterion_text(const results::JudgeSettings& settings) {
  const std::string criterion =
      fmt::format("{} ({})", name(settings.criterion), name(settings.scale));
  if (!settings.compliance) return criterion;
  return fmt::format("{} with compliance {}", criterion, text(*settings.compliance));
}

std::string summary_text(const results::Document& document, const SummaryOptions& options) {
  std::string text =
      fmt::format("{}, {}; criterion {}, tolerance {:g}, at most {} iterations and {:g} s\n\n",
                  number_of(document.problems.size(), "problem"),
                  number_of(document.solvers.size(), "solver"), criterion_text(document.run),
                  document.run.tolerance, document.run.max_iterations, document.run.time_limit);

  Table table = empty_outcome_table(options);
  add_outcomes("", document, table);
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

Table outcome_table(const std::vector<SummarizedFile>& files, const SummaryOptions& options) {
  Table table = empty_outcome_table(options);
  for (const auto& [path, document] : files) add_outcomes(path, document, table);
  return table;
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

History history_of(std::vector<SummarizedFile> files, const std::string& solver,
                   const std::string& family, const SummaryOptions& options) {
  check_known(files, solver, family);
  std::stable_sort(
      files.begin(), files.end(), [](const SummarizedFile& a, const SummarizedFile& b) {
        return a.document.run.started < b.document.run.started;  // ISO 8601 sorts as text
      });
  const bool all = family.empty() || family == "all";
  History history{
      Table(with_outcomes(run_columns(true), {{"", "family"}, {"", "solver"}}, options)), ""};
  std::string without;
  for (const auto& [path, document] : files) {
    const auto row = find_row(document, solver, all ? "" : family);
    if (!row) {
      without += fmt::format("no record: {}\n", path);
      continue;
    }
    history.table.add_row(with_outcomes(run_cells(path, document.run),
                                        {Cell::data(all ? "all" : family), Cell::data(solver)},
                                        *row));
  }
  history.text = fmt::format("{} on {}\n\n{}{}", solver, all ? "all problems" : family,
                             history.table.text(), without);
  return history;
}

void print_written(const results::Document& document, const std::string& path, std::FILE* stream) {
  fmt::print(stream, "{}", summary_text(document));
  std::fflush(stream);  // before what goes to the other stream
  if (!is_standard_output(path)) fmt::print(stderr, "wrote {}\n", path);
}

}  // namespace frictionbench::app
