#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "commands.hpp"
#include "frictionbench/bench/plan/plan.hpp"
#include "frictionbench/bench/plan/slurm.hpp"
#include "frictionbench/bench/run/runner.hpp"
#include "frictionbench/results/document/json.hpp"
#include "frictionbench/solvers/register_all.hpp"
#include "options.hpp"
#include "outputs.hpp"
#include "plan_text.hpp"
#include "progress.hpp"
#include "summary_table.hpp"

namespace frictionbench::app {

namespace {

struct RunArguments {
  std::vector<std::string> problems;
  std::vector<std::string> solvers;
  MeasureFlags measure;
  std::string warm_start = "zero";
  bool sequence = false;
  std::string filter;
  std::optional<int> dimension;
  std::optional<Index> max_contacts;
  std::string shard;
  std::string times_from;
  std::optional<std::int64_t> memory_limit;
  int jobs = 1;
  std::string output = "results.json";
  bool history = false;
  bool condition = false;
  bool dry_run = false;
  bool allow_unreadable = false;
  bool resume = false;
  bool force = false;
  bool quiet = false;
};

constexpr const char* examples = R"help(Examples:
  frictionbench run datasets/default
      every registered solver on every problem of the folder; writes results.json
  frictionbench run FOLDER --solver ncp-pgs --solver "ncp-admm(rho_update=linear,tau=4)" -o out.json
  frictionbench run @list.txt --filter 'BoxesStack|Chain' --dimension 3 --tolerance 1e-8
  frictionbench run FILE.hdf5 --repeat-time 0 --time-limit 5

  frictionbench run FOLDER --warm-start guess
      every solve starts from the first guess in its file
  frictionbench run FOLDER --sequence --warm-start guess
      time steps of one simulation in their order, each from the answer to the one before

  frictionbench run FOLDER --jobs 4 --memory-limit 4G -o out.json
  frictionbench run FOLDER --jobs 4 --memory-limit 4G -o out.json --resume
      goes on with a run that was interrupted: the same command with --resume

  frictionbench run FOLDER --shard 3/8 -o shard-3.json
      the third of eight parts, for one of eight machines; `frictionbench merge` joins them
  frictionbench run FOLDER --dry-run
      what would be run, how long it may take, and what would be refused

Every pair of problem and solver runs in a process of its own. Finished pairs are kept in OUTPUT.journal
until the document is written, so nothing is lost; interrupted (Ctrl-C), the run finishes the pairs
under way and says how to go on.

A sequence is the problems of one folder, form and scene in the order of their time step, which is the last
number of the file's name, after a hyphen or an underscore: gen-Chain-i000098-12-00840 is step 840 of
gen-Chain. The number of contacts (12) and of the iterations that wrote the file (i000098) before it may
differ; everything else in the name is the scene. Names that do not end so are no time steps. A problem
starts from what the same solver answered to the one before it in the run if that is of an earlier
step, has as many contacts, and its answer is finite; otherwise as --warm-start says. Every record says
where it started, and --dry-run how many problems start from another.

A problem that cannot be read is reported, entered in the document and skipped; the exit code is then 1,
unless --allow-unreadable says that this is expected.)help";

// Set by SIGINT: the run ends after the pairs that are under way.
volatile std::sig_atomic_t interrupted = 0;

class StoppableProgress final : public ProgressDisplay {
 public:
  using ProgressDisplay::ProgressDisplay;
  bool stop_requested() override { return interrupted != 0; }
};

void prepare_output(const RunArguments& arguments, const std::string& journal,
                    const std::vector<bench::ProblemSource>& problems) {
  namespace fs = std::filesystem;
  if (arguments.resume && arguments.force)
    throw std::invalid_argument(
        "--resume keeps what an unfinished run did, --force drops it: give one of them");
  if (arguments.resume && !fs::exists(journal) && fs::exists(arguments.output))
    throw std::invalid_argument(arguments.output + ": this run is finished, nothing to resume");
  std::vector<std::string> inputs;
  for (const bench::ProblemSource& problem : problems) inputs.push_back(problem.path);
  OutputCheck check(arguments.force || arguments.resume, std::move(inputs));
  check.add(arguments.output);
  if (arguments.force) fs::remove(journal);
}

// i/n; or `slurm`, `slurm/n`.
std::optional<results::Shard> shard_from(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (text == "slurm") return bench::shard_from_slurm();
  if (text.starts_with("slurm/"))  // the number of shards is that of 1/n
    return bench::shard_from_slurm(results::shard_from_text("1" + text.substr(5)).count);
  return results::shard_from_text(text);
}

bench::Plan plan_for(const RunArguments& arguments, const std::vector<ConfiguredSolver>& solvers,
                     const std::vector<bench::ProblemSource>& problems) {
  bench::PlanOptions options;
  options.dimension = arguments.dimension;
  options.max_contacts = arguments.max_contacts;
  options.shard = shard_from(arguments.shard);
  options.sequence = arguments.sequence;
  options.measure = arguments.measure.measure_options();
  if (!arguments.times_from.empty())
    options.costs = bench::CostModel(results::read_document(arguments.times_from));
  bench::Plan plan = bench::make_plan(problems, solvers, options);
  if (plan.files.empty())
    throw std::invalid_argument("no problem is left after --dimension and --max-contacts");
  return plan;
}

// 0, or 1 and 2 where some or all of the problems could not be used.
int exit_code(std::size_t usable, std::size_t unreadable, const RunArguments& arguments) {
  if (unreadable == 0) return 0;
  if (usable == 0) return 2;
  return arguments.allow_unreadable ? 0 : 1;
}

int show_plan(const RunArguments& arguments, const std::vector<ConfiguredSolver>& solvers,
              bench::Plan plan) {
  const auto refusals = bench::find_refusals(plan, solvers);
  fmt::print("{}", plan_text(plan, refusals, solvers, arguments.jobs));
  return exit_code(plan.problems.size(), plan.unreadable.size(), arguments);
}

int run_command(const RunArguments& arguments, const CommandLine& command_line) {
  const Registry registry = solvers::all_solvers();
  const auto chosen = make_solvers(registry, arguments.solvers);
  const auto problems = bench::find_problems(arguments.problems, arguments.filter);
  if (problems.empty())
    throw std::invalid_argument("no problem matches --filter '" + arguments.filter + "'");
  if (arguments.dry_run) return show_plan(arguments, chosen, plan_for(arguments, chosen, problems));

  bench::RunOptions options;
  static_cast<results::SolveSettings&>(options) = arguments.measure.measure_options();
  options.memory_limit = arguments.memory_limit;
  options.warm_start = from_name<results::Start>(arguments.warm_start);
  options.history = arguments.history;
  options.condition = arguments.condition;
  options.jobs = arguments.jobs;
  options.journal = arguments.output + ".journal";
  options.resume = arguments.resume;
  options.command = command_line;
  prepare_output(arguments, options.journal, problems);
  const bench::Plan plan = plan_for(arguments, chosen, problems);

  std::optional<results::Document> finished;
  {
    StoppableProgress progress(options.criterion, arguments.quiet);
    for (const ConfiguredSolver& solver : chosen) progress.know(solver.id, solver.info().model);
    std::signal(SIGINT, [](int) { interrupted = 1; });
    finished = bench::run(plan, chosen, options, progress);
    std::signal(SIGINT, SIG_DFL);
  }
  if (!finished) {
    fmt::print(stderr,
               "interrupted; {} has what is done: give the same command with --resume to go on\n",
               options.journal);
    return 1;
  }
  const results::Document& document = *finished;
  results::write_document(arguments.output, document);
  std::filesystem::remove(options.journal);
  if (!arguments.quiet) print_written(document, arguments.output);
  return exit_code(document.problems.size(), document.unreadable.size(), arguments);
}

}  // namespace

void add_run(CLI::App& app, Action& action, const CommandLine& command_line) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run", "Run solvers on problems and write a results file");
  command
      ->add_option("PROBLEMS", arguments->problems,
                   "FCLIB files, folders (searched for *.hdf5), or @LIST, a text file of them")
      ->required();
  command
      ->add_option("--solver", arguments->solvers,
                   "NAME or NAME(setting=value,...), repeatable; all registered if not given")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  arguments->measure.add_to(*command);
  add_warm_start(*command, arguments->warm_start);
  command->add_flag("--sequence", arguments->sequence,
                    "time steps of one simulation in their order, each from the same solver's "
                    "answer to the step before, where it has as many contacts");
  command->add_option("--filter", arguments->filter,
                      "only problems whose id (family/name) matches this regular expression");
  command->add_option("--dimension", arguments->dimension, "only 2D or only 3D problems")
      ->check(CLI::IsMember({2, 3}));
  command
      ->add_option("--max-contacts", arguments->max_contacts,
                   "only problems with at most so many contacts")
      ->type_name("NUMBER")
      ->check(whole_number(0));
  command
      ->add_option(
          "--memory-limit", arguments->memory_limit,
          "address space of a pair's process, in bytes or as 512M, 4G; no limit if not given")
      ->transform(CLI::AsSizeValue(false));
  command
      ->add_option("--jobs", arguments->jobs,
                   "pairs at once, each pinned to a processor of its own; they still share memory "
                   "bandwidth, so measure times with 1")
      ->capture_default_str()
      ->type_name("NUMBER")
      ->check(whole_number(1));
  command
      ->add_option(
          "--shard", arguments->shard,
          "only the i-th of n parts of about the same estimated time; `slurm` in a Slurm job "
          "array, `slurm/n` for some tasks of it")
      ->type_name("i/n|slurm|slurm/n");
  command
      ->add_option(
          "--times-from", arguments->times_from,
          "an earlier results file, for estimates of the time; the same one for all shards")
      ->type_name("RESULTS");
  command->add_flag(
      "--history", arguments->history,
      "solve every pair once more, untimed, and keep up to 200 rows of its residuals");
  command->add_flag(
      "--condition", arguments->condition,
      "compute the condition number of every problem of up to 1800 unknowns, untimed");
  command->add_flag("--dry-run", arguments->dry_run,
                    "only say what would be run, how long it may take and what would be refused");
  command->add_flag("--allow-unreadable", arguments->allow_unreadable,
                    "exit code 0 even if some problems could not be read");
  command->add_option("-o,--output", arguments->output, "results file to write")
      ->capture_default_str();
  command->add_flag("--resume", arguments->resume, "go on with a run that was interrupted");
  command->add_flag("--force", arguments->force,
                    "overwrite the results file, and drop the journal of an unfinished run");
  command->add_flag("--quiet", arguments->quiet, "no progress and no table, errors only");
  command->footer(examples);
  command->callback([&action, arguments, command_line] {
    action = [arguments, command_line] { return run_command(*arguments, command_line); };
  });
}

}  // namespace frictionbench::app
