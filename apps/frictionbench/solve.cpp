#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>

#include "commands.hpp"
#include "frictionbench/base/atomic_file.hpp"
#include "frictionbench/bench/measure/environment.hpp"
#include "frictionbench/bench/measure/measure.hpp"
#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/fclib/writer.hpp"
#include "frictionbench/results/document/json.hpp"
#include "frictionbench/solvers/register_all.hpp"
#include "options.hpp"
#include "outputs.hpp"
#include "table.hpp"
#include "verdict_text.hpp"

namespace frictionbench::app {

namespace {

struct SolveArguments {
  std::string problem;
  std::string solver;
  bench::RunOptions options;
  bool history = false;
  std::string json;
  std::string impulse;
  bool write_solution = false;
  bool force = false;
};

constexpr const char* notes = R"help(Examples:
  frictionbench solve FILE.hdf5 --solver ncp-pgs
  frictionbench solve FILE.hdf5 --solver "ncp-admm(p=0.08)" --history --tolerance 1e-9
  frictionbench solve FILE.hdf5 --solver ncp-pgs --warm-start guess        starts from the file's first guess
  frictionbench solve FILE.hdf5 --solver ncp-admm --write-impulse r.txt    one number per line
  frictionbench solve FILE.hdf5 --solver ncp-admm --write-solution         adds /solution to FILE.hdf5

The solver runs in this process, so that a debugger can follow it.
Exit code: 0 solved under the criterion, 1 not solved, 2 bad input.)help";

// All rows of a short history; of a long one the first, and then about twenty a decade.
bool shown(int iteration, int last) {
  if (iteration <= 10 || iteration == last || last <= 40) return true;
  int step = 1;
  for (int decade = 10; iteration > decade * 2; decade *= 2) step *= 2;
  return iteration % step == 0;
}

std::string history_text(const std::vector<Iterate>& history) {
  if (history.empty()) return {};
  const bool penalties = !std::isnan(history.front().penalty);
  std::vector<std::string> header{"iteration", "primal", "dual", "complementarity"};
  if (penalties) header.push_back("penalty");
  Table table(header);
  for (const Iterate& row : history)
    if (shown(row.iteration, history.back().iteration)) {
      std::vector<std::string> cells{fmt::format("{}", row.iteration),
                                     fmt::format("{:.3e}", row.residuals.primal),
                                     fmt::format("{:.3e}", row.residuals.dual),
                                     fmt::format("{:.3e}", row.residuals.complementarity)};
      if (penalties) cells.push_back(fmt::format("{:.3e}", row.penalty));
      table.add_row(std::move(cells));
    }
  return "residuals of the solver's own stopping test\n" + table.text() + "\n";
}

void write_impulse(const std::string& path, const Vector& r) {
  AtomicFile file(path);
  for (const double value : r) file.write(fmt::format("{}\n", value));
  file.commit();
}

std::string start_text(const bench::StartPoint& start) {
  if (start.start == results::Start::zero) return "started from zero: " + start.shortfall;
  return fmt::format("started from the {} in the file", name(start.start));
}

// What is worth keeping of a solve: r, u = W r + q and, in the global form, v.
fclib::State state_of(const ContactProblem& problem, const Vector& r) {
  fclib::State state;
  state.r = r;
  state.u = problem.contact_velocity(r);
  if (problem.global()) state.v = problem.generalized_velocity(r);
  return state;
}

int solve_command(const SolveArguments& arguments) {
  const bench::RunOptions& options = arguments.options;
  const Registry registry = solvers::all_solvers();
  const ConfiguredSolver solver = registry.make(arguments.solver);
  const auto sources = bench::find_problems({arguments.problem});
  if (sources.size() != 1)
    throw std::invalid_argument(arguments.problem + ": solve takes one file; use run for more");
  OutputCheck check(arguments.force, {sources[0].path});
  check.add(arguments.json);
  check.add(arguments.impulse);
  const auto before = std::chrono::steady_clock::now();
  const fclib::ProblemFile file = fclib::read_problem(sources[0].path);
  const std::chrono::duration<double> read_time = std::chrono::steady_clock::now() - before;
  if (arguments.write_solution && file.solution && !arguments.force)
    throw std::invalid_argument(arguments.problem +
                                ": /solution: already exists; use --force to replace it");
  if (arguments.write_solution && access(sources[0].path.c_str(), W_OK) != 0)
    throw std::invalid_argument(arguments.problem + ": /solution: the file cannot be written");

  results::Document document;
  document.run = bench::describe(options);
  document.problems = {bench::describe(sources[0], file)};
  document.solvers = {bench::describe(solver)};
  const bench::StartPoint start = bench::start_from_file(file, options.warm_start);
  bench::Measurement measured = bench::measure(file.problem, solver, options, start.impulse);
  results::Record& record = measured.record;
  bench::add_origin(record, {sources[0].id, solver.id, start.start, start.previous,
                             read_time.count(), file.problem.assembly_time()});
  if (arguments.history)
    record.history = bench::record_history(file.problem, solver, options, start.impulse);
  document.run.finished = bench::utc_now();
  document.records = {record};

  std::FILE* const out = check.text_stream();
  if (arguments.history) fmt::print(out, "{}", history_text(record.history));
  fmt::print(out, "{}", record_text(document));
  if (options.warm_start != results::Start::zero) fmt::print(out, "{}\n", start_text(start));
  if (!arguments.json.empty()) results::write_document(arguments.json, document);
  const bool keep = !arguments.impulse.empty() || arguments.write_solution;
  if (keep && measured.r.size() != file.problem.unknowns())
    throw std::invalid_argument("there is no impulse to write: " + record.message);
  if (!arguments.impulse.empty()) write_impulse(arguments.impulse, measured.r);
  if (arguments.write_solution)
    fclib::write_solution(sources[0].path, state_of(file.problem, measured.r), arguments.force);
  return document.solved(record) ? 0 : 1;
}

}  // namespace

void add_solve(Command& program, const CommandLine& words) {
  auto arguments = std::make_shared<SolveArguments>();
  arguments->options.command = words;
  arguments->options.repeat_time = 0;
  Command& command = program.add("solve", "Solve one problem and print the verdict on the answer");
  command.notes = notes;
  command.option("PROBLEM", arguments->problem, "FCLIB file", {.required = true});
  command.option("--solver", arguments->solver, "NAME or NAME(setting=value,...)",
                 {.value = "SOLVER", .suggest = solver_names, .required = true});
  command.described(part<results::SolveSettings>(arguments->options));
  command.option("--history", arguments->history,
                 "print the residuals of the solver's own stopping test at every iteration");
  command.option("--json", arguments->json, "write a results file with this one record",
                 {.value = "FILE"});
  command.option("--write-impulse", arguments->impulse,
                 "write the impulse r as text, one number per line, in FCLIB order",
                 {.value = "FILE"});
  command.option("--write-solution", arguments->write_solution,
                 "add r, u (and v) to the problem file as /solution");
  command.option("--force", arguments->force, "overwrite existing files, replace /solution");
  command.run = [arguments] { return solve_command(*arguments); };
}

}  // namespace frictionbench::app
