// A comparison in GitHub's Markdown.

#include <fmt/format.h>

#include <algorithm>

#include "comparison_cells.hpp"

namespace frictionbench::app {

namespace {

using results::Change;
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

std::string line(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += " " + escaped(cell) + " |";
  return text + "\n";
}

std::string table(const std::vector<std::string>& header, const Rows& rows) {
  std::string text = line(header) + "|";
  for (std::size_t c = 0; c < header.size(); ++c) text += " --- |";
  text += "\n";
  for (const auto& row : rows) text += line(row);
  return text;
}

// The first of the rows, and how many more there are.
std::string limited_table(Rows rows, std::size_t most_rows) {
  const std::size_t all = rows.size();
  rows.resize(std::min(all, most_rows));
  std::string text = table(change_header, rows);
  if (all > most_rows) text += fmt::format("\nand {} more; `--all` shows them\n", all - most_rows);
  return text;
}

std::string candidate_markdown(const ComparedFile& baseline, const ComparedCandidate& candidate,
                               std::size_t most_rows) {
  const results::Comparison& comparison = candidate.comparison;
  Rows worse, others;
  for (ChangeRow& row : change_rows(comparison)) {
    const bool lost = row.change == Change::lost && comparison.lost_is_worse;
    (row.change == Change::worse || lost ? worse : others).push_back(std::move(row.cells));
  }

  std::string text = fmt::format("### {}: {}\n\nCandidate {}, baseline {}.\n\n",
                                 comparison.regressed() ? "Worse" : "Nothing worse",
                                 verdict_sentence(comparison.counts),
                                 escaped(file_text(candidate.file)), escaped(file_text(baseline)));
  if (!worse.empty()) text += limited_table(std::move(worse), most_rows) + "\n";
  const SolverTable solvers = solver_table(comparison);
  text += table(solvers.header, solvers.rows);
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

}  // namespace

std::string comparison_markdown(const ComparisonReport& report, std::size_t most_rows) {
  std::string text;
  for (const ComparedCandidate& candidate : report.candidates)
    text += (text.empty() ? "" : "\n") + candidate_markdown(report.baseline, candidate, most_rows);
  return text;
}

}  // namespace frictionbench::app
