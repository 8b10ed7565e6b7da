// A comparison for a terminal.

#include <fmt/format.h>

#include <algorithm>

#include "comparison_cells.hpp"
#include "table.hpp"

namespace frictionbench::app {

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

}  // namespace frictionbench::app
