#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <type_traits>

#include "commands.hpp"
#include "frictionbench/base/atomic_file.hpp"
#include "frictionbench/bench/measure/environment.hpp"
#include "frictionbench/bench/measure/measure.hpp"
#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/fclib/writer.hpp"
#include "frictionbench/results/document/json.hpp"
#include "frictionbench/solvers/register_all.hpp"
#include "outputs.hpp"
#include "summary_table.hpp"
#include "table.hpp"

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

// Every counter: "2 cholesky, 0 lu, 0 ldlt, 1 analyses, 12 triangular solves, ...".
std::string work_text(const WorkCounters& work) {
  std::string text;
  const auto add_count = [&](std::string name, std::int64_t count, const Field&) {
    std::replace(name.begin(), name.end(), '_', ' ');
    if (name != "unspecified" || count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
  };
  const auto add = [&](const char* name, const auto& counter, const Field& field) {
    if constexpr (std::is_integral_v<std::decay_t<decltype(counter)>>)
      add_count(name, counter, field);
    else
      describe(add_count, counter);
  };
  describe(add, work);
  return text;
}

// Every residual of a verdict, absolute and scaled, a line each.
std::string verdict_text(const Verdict& verdict) {
  Table table({"verdict", "primal", "dual", "complementarity", "max", "scaled", "worst contact"});
  const auto add = [&](const char* model, const ConeResiduals& residuals) {
    table.add_row(
        {model, fmt::format("{:.3e}", residuals.primal), fmt::format("{:.3e}", residuals.dual),
         fmt::format("{:.3e}", residuals.complementarity), fmt::format("{:.3e}", residuals.max()),
         fmt::format("{:.3e}", residuals.scaled(verdict.scale)),
         residuals.worst_contact < 0 ? "" : fmt::format("{}", residuals.worst_contact)});
  };
  add("ncp", verdict.ncp);
  add("ccp", verdict.ccp);
  add("lcp", verdict.lcp);
  std::string text = table.text();
  text += fmt::format(
      "natural map {:.3e}   dissipation {:.3e}   Signorini: product {:.3e}, "
      "velocity {:.3e}, impulse {:.3e}\n",
      verdict.natural_map, verdict.dissipation, verdict.signorini.product,
      verdict.signorini.velocity, verdict.signorini.impulse);
  if (verdict.momentum) text += fmt::format("momentum {:.3e}\n", *verdict.momentum);
  text += fmt::format("contacts: {} sticking, {} sliding, {} separated   ||r|| = {:.6g}\n",
                      verdict.states.sticking, verdict.states.sliding, verdict.states.separated,
                      verdict.impulse_norm);
  return text;
}

// The one record of a document: outcome, work, time and verdict.
std::string record_text(const results::Document& document) {
  const results::Record& record = document.records.front();
  std::string text = fmt::format(
      "{} on {}\n{}{}: {} under {} at {:g} after {} iterations\n", record.solver, record.problem,
      name(record.status), record.message.empty() ? "" : " (" + record.message + ")",
      document.solved(record) ? "solved" : "not solved", criterion_text(document.run),
      document.run.tolerance, record.iterations);
  text += "work: " + work_text(record.work) + "\n";
  if (record.time.solve)
    text +=
        fmt::format("time: solve {:.3g} ms (median of {}), setup {:.3g} ms, assembly {:.3g} ms\n",
                    record.time.solve->median * 1e3, record.time.solve->samples,
                    record.time.setup.value_or(0) * 1e3, record.time.assembly * 1e3);
  if (record.verdict) text += "\n" + verdict_text(*record.verdict);
  return text;
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
