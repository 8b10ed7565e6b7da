#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "commands.hpp"
#include "frictionbench/bench/runner.hpp"
#include "frictionbench/results/json.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "register_all.hpp"
#include "summary_table.hpp"

namespace frictionbench::app {

namespace {

struct RunArguments {
  std::vector<std::string> problems;
  std::vector<std::string> solvers;
  MeasureFlags measure;
  std::string filter;
  std::optional<int> dimension;
  std::optional<Index> max_contacts;
  std::string output = "results.json";
  bool force = false;
  bool quiet = false;
};

constexpr const char* examples = R"help(Examples:
  frictionbench run datasets/default
      every registered solver on every problem of the folder; writes results.json
  frictionbench run FOLDER --solver ncp-pgs --solver "ncp-admm(rho_update=linear,tau=4)" -o out.json
  frictionbench run @list.txt --filter 'BoxesStack|Chain' --dimension 3 --tolerance 1e-8
  frictionbench run FILE.hdf5 --repeat-time 0 --time-limit 5

A problem that cannot be read is reported, entered in the document and skipped (exit code 1).)help";

int run_command(const RunArguments& arguments, const CommandLine& command_line) {
  bench::RunOptions options;
  options.measure = arguments.measure.measure_options();
  options.dimension = arguments.dimension;
  options.max_contacts = arguments.max_contacts;
  options.command = command_line;

  const Registry registry = solvers::all_solvers();
  const auto chosen = make_solvers(registry, arguments.solvers);
  const auto problems = bench::find_problems(arguments.problems, arguments.filter);
  if (problems.empty())
    throw std::invalid_argument("no problem matches --filter '" + arguments.filter + "'");
  if (std::filesystem::exists(arguments.output) && !arguments.force)
    throw std::invalid_argument(arguments.output +
                                ": exists already; choose another --output or give --force");
  results::check_writable(arguments.output);

  results::Document document;
  {
    ProgressDisplay progress(options.measure.criterion, arguments.quiet);
    for (const ConfiguredSolver& solver : chosen) progress.know(solver.id, solver.info().model);
    document = bench::run(problems, chosen, options, progress);
  }
  if (document.problems.empty() && document.unreadable.empty())
    throw std::invalid_argument("no problem is left after --dimension and --max-contacts");
  results::write_document(arguments.output, document);
  if (!arguments.quiet) fmt::print("{}", summary_text(document));
  fmt::print(stderr, "wrote {}\n", arguments.output);
  if (document.problems.empty()) return 2;
  return document.unreadable.empty() ? 0 : 1;
}

}  // namespace

void add_run(CLI::App& app, Action& action, const CommandLine& command_line) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run", "Run solvers on problems and write a results file");
  command
      ->add_option("problems", arguments->problems,
                   "FCLIB files, folders (searched for *.hdf5), or @LIST, a text file of them")
      ->required();
  command
      ->add_option("--solver", arguments->solvers,
                   "NAME or NAME(setting=value,...), repeatable; all registered if not given")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  arguments->measure.add_to(*command);
  command->add_option("--filter", arguments->filter,
                      "only problems whose id (family/name) matches this regular expression");
  command->add_option("--dimension", arguments->dimension, "only 2D or only 3D problems")
      ->check(CLI::IsMember({2, 3}));
  command
      ->add_option("--max-contacts", arguments->max_contacts,
                   "only problems with at most so many contacts")
      ->check(CLI::NonNegativeNumber);
  command->add_option("-o,--output", arguments->output, "results file to write")
      ->capture_default_str();
  command->add_flag("--force", arguments->force, "overwrite the results file");
  command->add_flag("--quiet", arguments->quiet, "no progress and no table, errors only");
  command->footer(examples);
  command->callback([&action, arguments, command_line] {
    action = [arguments, command_line] { return run_command(*arguments, command_line); };
  });
}

}  // namespace frictionbench::app
