#include "summary_table.hpp"

#include <fmt/format.h>

#include "frictionbench/results/summary.hpp"
#include "table.hpp"

namespace frictionbench::app {

namespace {

std::string seconds(const std::optional<double>& time) {
  if (!time) return "";
  if (*time < 1e-3) return fmt::format("{:.1f} us", *time * 1e6);
  if (*time < 1) return fmt::format("{:.2f} ms", *time * 1e3);
  return fmt::format("{:.2f} s", *time);
}

std::string spread(const std::optional<results::Spread>& value) {
  return value ? fmt::format("{:.1f} ± {:.1f}", value->mean, value->deviation) : "";
}

std::string count(int value) { return value ? fmt::format("{}", value) : ""; }

}  // namespace

std::string summary_text(const results::Document& document) {
  std::string text = fmt::format(
      "{} problems, {} solvers; criterion {}, tolerance {:g}, at most {} iterations and {:g} s\n\n",
      document.problems.size(), document.solvers.size(), name(document.run.criterion),
      document.run.tolerance, document.run.max_iterations, document.run.time_limit);

  Table table({"family", "solver", "solved", "%", "own model", "time", "iterations", "Cholesky",
               "wrong", "failed", "timeout", "refused"});
  std::string family;
  for (const results::SummaryRow& row : results::summarize(document)) {
    if (!family.empty() && row.family != family) table.add_rule();
    table.add_row({row.family == family ? "" : row.family, row.solver,
                   fmt::format("{}/{}", row.solved, row.problems),
                   fmt::format("{:.0f}", 100.0 * row.solved / row.problems),
                   fmt::format("{}", row.solved_native), seconds(row.time), spread(row.iterations),
                   spread(row.factorizations), count(row.wrong), count(row.failed),
                   count(row.timed_out), count(row.refused)});
    family = row.family;
  }
  if (table.empty()) return text + "no records\n";
  text += table.text();
  text += fmt::format(
      "\nsolved: the verdict, under the run's criterion; own model: under the solver's own model "
      "(ncp, ccp or lcp)\n"
      "time: shifted geometric mean ({:g} ms) of the solve times, {:g} s for what is not solved\n"
      "iterations, Cholesky: mean ± deviation over solved problems; Cholesky counts the first "
      "factorisation\n"
      "wrong: the solver claimed convergence and the verdict refutes it\n",
      results::time_shift * 1e3, document.run.time_limit);

  for (const results::Unreadable& file : document.unreadable)
    text += fmt::format("unreadable: {}\n", file.reason);
  for (const std::string& warning : document.run.warnings)
    text += fmt::format("warning: {}\n", warning);
  return text;
}

}  // namespace frictionbench::app
