#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "frictionbench/results/document/json.hpp"
#include "summary_table.hpp"

namespace frictionbench::app {

namespace {

constexpr const char* notes = R"help(Examples:
  frictionbench summary results.json
  frictionbench summary results.json --creep
      how far answers creep and lift, and how far a compliant solver's model is from the problem
  frictionbench summary monday.json tuesday.json
      one table per file
  frictionbench summary monday.json tuesday.json --csv > summary.csv
      the rows of all files in one table, with every digit
  frictionbench summary runs/*/results.json --history ncp-pgs
      how one solver performed over time, one row per run
  frictionbench summary runs/*/results.json --history "ncp-admm(rho_update=linear)" --family Stack)help";

struct SummaryArguments {
  std::vector<std::string> paths;
  std::string history, family;
  SummaryOptions options;
  TableOptions table;
};

int summary_command(const SummaryArguments& arguments) {
  const TableFormat format = arguments.table.format();
  std::vector<SummarizedFile> files;
  for (const std::string& path : arguments.paths)
    files.push_back({path, results::read_document(path)});
  if (arguments.history.empty()) {
    const std::string text =
        format == TableFormat::text ? summary_text(files, arguments.options) : "";
    fmt::print("{}", formatted(outcome_table(files, arguments.options), format, text));
  } else {
    const History history =
        history_of(std::move(files), arguments.history, arguments.family, arguments.options);
    fmt::print("{}", formatted(history.table, format, history.text));
  }
  return 0;
}

}  // namespace

void add_summary(Command& program) {
  auto arguments = std::make_shared<SummaryArguments>();
  Command& command =
      program.add("summary", "Print results files as tables of families and solvers");
  command.notes = notes;
  command.option("RESULTS", arguments->paths, "results files of `frictionbench run`",
                 {.required = true});
  command.option("--creep", arguments->options.creep,
                 "columns for creep, lift and, for solvers that choose a compliance, model gap");
  command.option("--history", arguments->history,
                 "one table of this solver over all files, in the order of their start",
                 {.value = "SOLVER"});
  command.option("--family", arguments->family,
                 "the family of problems that --history shows; all problems if not given",
                 {.value = "NAME", .needs = "--history"});
  arguments->table.add_to(command);
  command.run = [arguments] { return summary_command(*arguments); };
}

}  // namespace frictionbench::app
