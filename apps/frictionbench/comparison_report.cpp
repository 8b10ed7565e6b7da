// A comparison for a terminal, in GitHub's Markdown and as JSON.

#include "comparison_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "comparison_cells.hpp"
#include "table.hpp"

namespace frictionbench::app {

using nlohmann::json;

namespace {

std::string solvers_text(const results::Comparison& comparison) {
  const SolverTable contents = solver_table(comparison);
  Table table(contents.header);
  for (const auto& row : contents.rows) table.add_row(row);
  std::string text = table.text();
  const bool counters_changed =
      contents.header.back() != "new" && contents.header.back() != "changed";
  if (counters_changed) text += "counters: median change over the problems where they differ\n";
  return text;
}

std::string changes_text(const results::Comparison& comparison, std::size_t most_rows) {
  const std::vector<ChangeRow> rows = change_rows(comparison);
  if (rows.empty()) return "";
  Table table(change_header);
  for (std::size_t k = 0; k < std::min(rows.size(), most_rows); ++k) table.add_row(rows[k].cells);
  std::string text = "\n" + table.text();
  if (rows.size() > most_rows)
    text += fmt::format("and {} more; --all shows them\n", rows.size() - most_rows);
  return text;
}

using Rows = std::vector<std::vector<std::string>>;

// Text that Markdown shows as it is, also within a table.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view("\\`*<|").find(c) != std::string_view::npos) result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += " " + escaped(cell) + " |";
  return text + "\n";
}

std::string markdown_table(const std::vector<std::string>& header, const Rows& rows) {
  std::string text = markdown_row(header) + "|";
  for (std::size_t c = 0; c < header.size(); ++c) text += " --- |";
  text += "\n";
  for (const auto& row : rows) text += markdown_row(row);
  return text;
}

// The first of the rows, and how many more there are.
std::string limited_table(Rows rows, std::size_t most_rows) {
  const std::size_t all = rows.size();
  rows.resize(std::min(all, most_rows));
  std::string text = markdown_table(change_header, rows);
  if (all > most_rows) text += fmt::format("\nand {} more; `--all` shows them\n", all - most_rows);
  return text;
}

std::string candidate_markdown(const ComparedFile& baseline, const ComparedCandidate& candidate,
                               std::size_t most_rows) {
  const results::Comparison& comparison = candidate.comparison;
  Rows worse, others;
  for (ChangeRow& row : change_rows(comparison)) {
    const bool lost = row.change == results::Change::lost && comparison.lost_is_worse;
    (row.change == results::Change::worse || lost ? worse : others).push_back(std::move(row.cells));
  }

  std::string text = fmt::format("### {}: {}\n\nCandidate {}, baseline {}.\n\n",
                                 comparison.regressed() ? "Worse" : "Nothing worse",
                                 verdict_sentence(comparison.counts),
                                 escaped(file_text(candidate.file)), escaped(file_text(baseline)));
  if (!worse.empty()) text += limited_table(std::move(worse), most_rows) + "\n";
  const SolverTable solvers = solver_table(comparison);
  text += markdown_table(solvers.header, solvers.rows);
  if (!others.empty()) {
    const std::size_t count = others.size();
    text += fmt::format(
        "\n<details><summary>{} better, new or otherwise changed</summary>\n\n{}\n</details>\n",
        count, limited_table(std::move(others), most_rows));
  }
  if (!comparison.notes.empty()) text += "\n";
  for (const std::string& note : comparison.notes) text += "- " + escaped(note) + "\n";
  return text;
}

json to_json(const ComparedFile& file) {
  const results::RunInfo& run = file.run;
  const bool known = !run.git_revision.empty();
  return {{"path", file.path},
          {"started", run.started},
          {"git",
           {{"revision", known ? json(run.git_revision) : json(nullptr)},
            {"dirty", run.git_dirty ? json(*run.git_dirty) : json(nullptr)}}}};
}

}  // namespace

std::string comparison_text(const ComparisonReport& report, std::size_t most_rows) {
  std::string text;
  for (const auto& [file, comparison] : report.candidates) {
    if (!text.empty()) text += "\n\n";
    text += fmt::format("{}\nbaseline   {}\ncandidate  {}\n\n", verdict_sentence(comparison.counts),
                        file_text(report.baseline), file_text(file));
    text += solvers_text(comparison) + changes_text(comparison, most_rows);
    if (!comparison.notes.empty()) text += "\n";
    for (const std::string& note : comparison.notes) text += fmt::format("note: {}\n", note);
  }
  return text;
}

std::string comparison_markdown(const ComparisonReport& report, std::size_t most_rows) {
  std::string text;
  for (const ComparedCandidate& candidate : report.candidates)
    text += (text.empty() ? "" : "\n") + candidate_markdown(report.baseline, candidate, most_rows);
  return text;
}

std::string comparison_json(const ComparisonReport& report) {
  json comparisons = json::array();
  for (const auto& [file, comparison] : report.candidates) {
    comparisons.push_back(results::to_json(comparison));
    comparisons.back()["candidate"] = to_json(file);
  }
  const json document{{"schema", "frictionbench-comparison"},
                      {"schema_version", 1},
                      {"baseline", to_json(report.baseline)},
                      {"comparisons", comparisons}};
  // Names of files need not be UTF-8.
  return document.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace frictionbench::app
