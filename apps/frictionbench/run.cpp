#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "commands.hpp"
#include "frictionbench/base/atomic_file.hpp"
#include "frictionbench/base/sha256.hpp"
#include "frictionbench/bench/plan/plan.hpp"
#include "frictionbench/bench/plan/slurm.hpp"
#include "frictionbench/bench/plan/solvers.hpp"
#include "frictionbench/bench/rejudge/rejudge.hpp"
#include "frictionbench/bench/run/add_to.hpp"
#include "frictionbench/bench/run/runner.hpp"
#include "frictionbench/datasets/registry.hpp"
#include "frictionbench/results/document/json.hpp"
#include "frictionbench/results/merge/join.hpp"
#include "known_solvers.hpp"
#include "outputs.hpp"
#include "plan_text.hpp"
#include "progress.hpp"
#include "summary_table.hpp"

namespace frictionbench::app {

namespace {

struct RunArguments {
  KnownSolvers known;
  std::vector<std::string> problems;
  std::vector<std::string> solvers;
  std::vector<std::string> excluded;
  bench::RunOptions options;
  std::string filter;
  std::optional<int> dimension;
  std::optional<Index> max_contacts;
  std::string shard;
  std::string times_from;
  std::string add_to;
  std::string output = "results.json";
  bool dry_run = false;
  bool allow_unreadable = false;
  bool force = false;
  bool quiet = false;
};

constexpr const char* notes = R"help(Examples:
  frictionbench run datasets/default
      every registered solver on every problem of the folder; writes results.json
  frictionbench run fclib/Local/siconos/Chain
      a data set by its name, after `frictionbench fetch fclib/Local/siconos/Chain`
  frictionbench run FOLDER --solver ncp-pgs --solver "ncp-admm(rho_update=linear,tau=4)" -o out.json
  frictionbench run FOLDER --solver 'ncp-*' --exclude ncp-jacobi --solver ccp-ipm
  frictionbench run @list.txt --filter 'BoxesStack|Chain' --dimension 3 --tolerance 1e-8
  frictionbench run FILE.hdf5 --repeat-time 0 --time-limit 5

  frictionbench run --config campaign.toml
  frictionbench run --config campaign.toml --tolerance 1e-8 -o tight.json
      options from a file; those on the command line win

  frictionbench run FOLDER --warm-start guess
      every solve starts from the first guess in its file
  frictionbench run FOLDER --sequence --warm-start guess
      time steps of one simulation in their order, each from the answer to the one before

  frictionbench run FOLDER --rounds 10 -o out.json
      every pair in ten fresh processes, for `frictionbench compare --times`

  frictionbench run FOLDER --jobs 4 --memory-limit 4G -o out.json
  frictionbench run FOLDER --jobs 4 --memory-limit 4G -o out.json --resume
      continues a run that was interrupted: the same command with --resume

  frictionbench run FOLDER --solver my-new-solver --add-to OLD.json -o out.json
      the results of OLD.json and those of one more solver

  frictionbench run FOLDER --shard 3/8 -o shard-3.json
      the third of eight parts, for one of eight machines; `frictionbench merge` joins them
  frictionbench run FOLDER --dry-run
      what would be run, how long it may take, and what would be refused

Every pair of problem and solver runs in a process of its own. Finished pairs are kept in OUTPUT.journal
until the results file is written, so nothing is lost. Ctrl-C lets the pairs under way finish and says how to
continue; a second Ctrl-C ends them. The exit code is then 130. `-o -` writes the results to standard output
and keeps no journal.

A configuration file has options by their long names, without hyphens, and the problems:
  problems = ["datasets/default"]     # relative to where the program runs, as on the command line
  solver = ["ncp-*", "ncp-admm(rho_update=linear,tau=4)"]
  tolerance = 1e-6
  memory-limit = "4G"
  history = true
A list on the command line replaces that of the file. Flags of the file cannot be taken back.

A sequence consists of the problems of one folder, form and scene, ordered by time step. The time step is the
last number in the file's name, after a hyphen or an underscore: gen-Chain-i000098-12-00840 is step 840 of
gen-Chain. The number of contacts (12) and of the iterations that wrote the file (i000098) before it may differ;
everything else in the name is the scene. Files whose names do not match are not treated as time steps. A
problem starts from the same solver's answer to its predecessor in the run if that is an earlier step with as
many contacts, or both files say who their contacts are, and a finite answer; otherwise as --warm-start says.
Every record says where it started, and --dry-run how many problems start from another.

With --add-to OLD.json, pairs that OLD.json has are not run again, unless their solver has changed (its settings, the
SHA-256 of its plug-in, or the commit of this program); limits must be the same. The results file has both, and
run.joined says how each part was made. OLD.json itself stays as it is.

With --rounds N every pair is measured N times: a round of all pairs, in an order drawn from --seed, then the
next round. The first round decides everything but times; `time.rounds` of a record has the median of each. A
pair whose later round gives another impulse (bit by bit), other iterations or counters is `not_repeatable`. It
and a pair that its time limit ended take no part in the rounds that follow, nor do those that start from their
answers.

A problem that cannot be read is reported, listed in the results and skipped.

Exit code: 0 done, whatever the solvers solved; 1 some problems could not be read, unless --allow-unreadable is given;
2 none could, or bad input; 130 interrupted.)help";

// Counts SIGINT: the first ends the run after the pairs under way, the second ends those, too.
volatile std::sig_atomic_t interrupts = 0;

extern "C" void interrupt(int) {
  interrupts = interrupts + 1;
  constexpr std::string_view text =
      "\ninterrupted: finishing the pairs under way; press Ctrl-C again to stop now\n";
  if (interrupts == 1) static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
  if (interrupts == 2) std::signal(SIGINT, SIG_DFL);
}

class InterruptibleDisplay final : public ProgressDisplay {
 public:
  InterruptibleDisplay(const results::RunSettings& settings, std::size_t solvers, bool quiet)
      : ProgressDisplay(settings, solvers, quiet) {
    std::signal(SIGINT, interrupt);
  }
  ~InterruptibleDisplay() override { std::signal(SIGINT, SIG_DFL); }
  bench::Stop stop_requested() override {
    return interrupts == 0   ? bench::Stop::no
           : interrupts == 1 ? bench::Stop::after_pairs_under_way
                             : bench::Stop::now;
  }
};

// \returns where text for people goes.
std::FILE* prepare_output(RunArguments& arguments,
                          const std::vector<bench::ProblemSource>& problems,
                          const std::optional<results::Document>& earlier) {
  namespace fs = std::filesystem;
  bench::RunOptions& options = arguments.options;
  if (options.resume && arguments.force)
    throw std::invalid_argument(
        "--resume keeps the results of an unfinished run, --force discards them: give only one");
  std::vector<std::string> inputs;
  for (const bench::ProblemSource& problem : problems) inputs.push_back(problem.path);
  if (!arguments.add_to.empty()) inputs.push_back(arguments.add_to);
  if (earlier)
    if (auto kept = earlier->impulses_file(arguments.add_to)) inputs.push_back(*kept);
  OutputCheck check(arguments.force || options.resume, std::move(inputs));
  const bool stream = is_standard_output(arguments.output) ||
                      (fs::exists(arguments.output) && !fs::is_regular_file(arguments.output));
  if (stream) {
    if (options.resume)
      throw std::invalid_argument("--resume: a run that writes to " + arguments.output +
                                  " keeps no journal to continue; give --output a file");
  } else {
    options.journal = arguments.output + ".journal";
    const bool journal = fs::exists(options.journal);
    if (options.resume && !journal && fs::is_regular_file(arguments.output))
      throw std::invalid_argument(arguments.output + ": this run is finished, nothing to resume");
    if (options.resume && !journal) {
      options.resume = false;
      if (!arguments.quiet)
        fmt::print(stderr, "no journal {} to resume: starting the run\n", options.journal);
    }
  }
  check.add(arguments.output);
  if (options.keep_impulses) {
    if (stream)
      throw std::invalid_argument(
          "--keep-impulses writes a file beside the results file; give --output a file");
    options.impulses = impulses_path(arguments.output);
    check.add(options.impulses);
  }
  return check.text_stream();
}

results::Shard shard_named(const std::string& text) {
  results::Shard shard;
  results::from_text(text, shard);
  return shard;
}

// i/n; or `slurm`, `slurm/n`.
std::optional<results::Shard> shard_from(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (text == "slurm") return bench::shard_from_slurm();
  if (text.starts_with("slurm/"))  // the number of shards is that of 1/n
    return bench::shard_from_slurm(shard_named("1" + text.substr(5)).count);
  return shard_named(text);
}

bench::Plan plan_for(const RunArguments& arguments, const std::vector<ConfiguredSolver>& solvers,
                     const std::vector<bench::ProblemSource>& problems) {
  bench::PlanOptions options;
  options.dimension = arguments.dimension;
  options.max_contacts = arguments.max_contacts;
  options.shard = shard_from(arguments.shard);
  options.sequence = arguments.options.sequence;
  options.measure = static_cast<const results::SolveSettings&>(arguments.options);
  options.rounds = arguments.options.rounds;
  if (!arguments.times_from.empty())
    options.costs = bench::CostModel(results::read_document(arguments.times_from));
  bench::Plan plan = bench::make_plan(problems, solvers, options);
  if (plan.files.empty())
    throw std::invalid_argument("no problem is left after --dimension and --max-contacts");
  return plan;
}

// The plan without what the earlier document has, if there is one.
bench::Addition addition(const RunArguments& arguments,
                         const std::vector<ConfiguredSolver>& solvers, bench::Plan plan,
                         const std::optional<results::Document>& earlier) {
  if (!earlier) return {{}, std::move(plan), 0, 0};
  bench::Addition left =
      bench::addition_to({arguments.add_to, *earlier}, std::move(plan), solvers, arguments.options);
  if (!arguments.quiet) {
    fmt::print(stderr, "{} pairs are in {} already\n", left.reused, arguments.add_to);
    if (left.outdated > 0)
      fmt::print(stderr, "left out: {} records of solvers that have changed, on other problems\n",
                 left.outdated);
  }
  return left;
}

// The results of a run together with those that it adds to.
results::Document joined(const RunArguments& arguments, const bench::Addition& addition,
                         results::Document added) {
  results::Merged all = results::join({{arguments.add_to, addition.kept}, {"this run", added}});
  if (!is_standard_output(arguments.output))
    all.document.run.impulses =
        bench::join_answers({addition.kept, std::move(added)}, {arguments.add_to, arguments.output},
                            impulses_path(arguments.output));
  return std::move(all.document);
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
  fmt::print("{}", plan_text(plan, refusals, solvers, arguments.options));
  return exit_code(plan.problems.size(), plan.unreadable.size(), arguments);
}

// 16 is 16 bytes, and meant as gigabytes.
void check_unit(const std::optional<std::int64_t>& memory_limit) {
  constexpr std::int64_t least = 1 << 16;
  if (memory_limit && *memory_limit < least)
    throw std::invalid_argument(fmt::format(
        "--memory-limit: {} bytes are too few for any process; give a unit, such as 512M or 16G",
        *memory_limit));
}

std::optional<results::Document> earlier_document(RunArguments& arguments) {
  if (arguments.add_to.empty()) return std::nullopt;
  bench::RunOptions& options = arguments.options;
  if (options.sequence || !arguments.shard.empty() || options.rounds > 1)
    throw std::invalid_argument(
        "--add-to: cannot be combined with --sequence, --shard or --rounds, whose pairs belong "
        "together");
  options.added_to = sha256_of_file(arguments.add_to);
  results::Document earlier = results::read_document(arguments.add_to);
  if (earlier.run.impulses) bench::recompute(earlier, arguments.add_to);  // refuses forged records
  return earlier;
}

int run_command(RunArguments& arguments) {
  check(arguments.options);
  check_unit(arguments.options.memory_limit);
  const Registry registry = arguments.known.load();
  const auto chosen = bench::find_solvers(registry, arguments.solvers, arguments.excluded);
  static_cast<void>(datasets::known());  // a bad description ends the run here, not every problem
  const auto problems =
      bench::find_problems(arguments.problems, arguments.filter, [&](const std::string& note) {
        if (!arguments.quiet) fmt::print(stderr, "{}\n", note);
      });
  if (problems.empty())
    throw std::invalid_argument("no problem matches --filter '" + arguments.filter + "'");
  const auto earlier = earlier_document(arguments);
  if (arguments.dry_run)
    return show_plan(
        arguments, chosen,
        addition(arguments, chosen, plan_for(arguments, chosen, problems), earlier).plan);

  std::FILE* const text_stream = prepare_output(arguments, problems, earlier);
  const bench::RunOptions& options = arguments.options;
  const bench::Addition work =
      addition(arguments, chosen, plan_for(arguments, chosen, problems), earlier);
  // Not before it is known that there is a run to replace it.
  if (arguments.force && !options.journal.empty()) bench::discard_journal(options.journal);
  std::optional<results::Document> finished;
  {
    InterruptibleDisplay display(options, chosen.size(), arguments.quiet);
    finished = bench::run(work.plan, chosen, options, display);
  }
  if (!finished) {
    const std::string kept =
        options.journal.empty()
            ? "nothing is kept"
            : options.journal +
                  " has what is done; to continue, run the same command with --resume";
    fmt::print(stderr, "interrupted: {}\n", kept);
    return 130;  // as a shell reports it: 128 + SIGINT
  }
  const results::Document document =
      earlier ? joined(arguments, work, std::move(*finished)) : std::move(*finished);
  results::write_document(arguments.output, document);
  if (!options.journal.empty()) std::filesystem::remove(options.journal);
  if (!arguments.quiet) print_written(document, arguments.output, text_stream);
  return exit_code(document.problems.size(), document.unreadable.size(), arguments);
}

}  // namespace

void add_run(Command& program, const CommandLine& words, const Registry& solvers) {
  auto arguments = std::make_shared<RunArguments>();
  arguments->known = KnownSolvers(solvers);
  arguments->options.command = words;
  Command& command = program.add("run", "Run solvers on problems and write a results file");
  command.notes = notes;
  command.option("PROBLEMS", arguments->problems,
                 "FCLIB files, folders (searched for *.hdf5), data sets by name (`frictionbench "
                 "datasets`), or @LIST, a text file of them",
                 {.required = true});
  command.option(
      "--solver", arguments->solvers,
      "NAME or NAME(setting=value,...), a pattern such as 'ncp-*', model=ncp, or @FILE, a "
      "text file of them; all that take contacts and need no setting if not given",
      {.value = "SOLVER", .suggest = arguments->known.names()});
  command.option("--exclude", arguments->excluded, "leave these out; written as for --solver",
                 {.value = "SOLVER", .suggest = arguments->known.names()});
  command.add_config_file();
  arguments->known.add_option(command);
  command.described(part<results::RunSettings>(arguments->options));
  command.option("--filter", arguments->filter,
                 "only problems whose id (family/name) matches this regular expression",
                 {.value = "REGEX"});
  command.option("--dimension", arguments->dimension, "only 2D or only 3D problems",
                 {.choices = {"2", "3"}});
  command.option("--max-contacts", arguments->max_contacts,
                 "only problems with at most this many contacts", {.range = at_least(0)});
  command.option("--shard", arguments->shard,
                 "only the i-th of n parts of about equal estimated time; `slurm` in a Slurm job "
                 "array, `slurm/n` for some of its tasks",
                 {.value = "i/n|slurm|slurm/n"});
  command.option("--times-from", arguments->times_from,
                 "an earlier results file to estimate times from; the same one for all shards",
                 {.value = "FILE"});
  command.option("--add-to", arguments->add_to,
                 "an earlier results file: run only what it does not have, and write both",
                 {.value = "FILE"});
  command.option("--dry-run", arguments->dry_run,
                 "only print what would be run, how long it may take and what would be refused");
  command.option("--allow-unreadable", arguments->allow_unreadable,
                 "exit code 0 even if some problems could not be read");
  command.option("-o,--output", arguments->output, "results file to write", {.value = "FILE"});
  command.option("--resume", arguments->options.resume,
                 "continue a run that was interrupted; start it if there is none");
  command.option("--force", arguments->force,
                 "overwrite the results file, and discard the journal of an unfinished run");
  command.option("--quiet", arguments->quiet, "no progress and no table, errors only");
  command.run = [arguments] { return run_command(*arguments); };
}

}  // namespace frictionbench::app
