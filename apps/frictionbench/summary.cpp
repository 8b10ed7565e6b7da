#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "frictionbench/results/document/json.hpp"
#include "summary_table.hpp"

namespace frictionbench::app {

namespace {

constexpr const char* examples = R"help(Examples:
  frictionbench summary results.json
  frictionbench summary monday.json tuesday.json
      one table a file
  frictionbench summary runs/*/results.json --history ncp-pgs
      how one solver fared over time, a row a run
  frictionbench summary runs/*/results.json --history "ncp-admm(rho_update=linear)" --family Stack)help";

struct SummaryArguments {
  std::vector<std::string> paths;
  std::string history, family;
};

int summary_command(const SummaryArguments& arguments) {
  std::vector<SummarizedFile> files;
  for (const std::string& path : arguments.paths)
    files.push_back({path, results::read_document(path)});
  if (arguments.history.empty())
    fmt::print("{}", summary_text(files));
  else
    fmt::print("{}", history_text(std::move(files), arguments.history, arguments.family));
  return 0;
}

}  // namespace

void add_summary(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<SummaryArguments>();
  CLI::App* command =
      app.add_subcommand("summary", "Print results files as tables of families and solvers");
  command->add_option("RESULTS", arguments->paths, "results files of `frictionbench run`")
      ->required();
  CLI::Option* history =
      command
          ->add_option("--history", arguments->history,
                       "one table of this solver over all files, in the order of their start")
          ->type_name("SOLVER");
  command
      ->add_option("--family", arguments->family,
                   "the family of problems that --history shows; all problems if not given")
      ->type_name("NAME")
      ->needs(history);
  command->footer(examples);
  command->callback(
      [&action, arguments] { action = [arguments] { return summary_command(*arguments); }; });
}

}  // namespace frictionbench::app
