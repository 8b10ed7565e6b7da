#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <type_traits>

#include "commands.hpp"
#include "frictionbench/bench/measure/measure.hpp"
#include "frictionbench/bench/plan/plan.hpp"
#include "frictionbench/bench/plan/problems.hpp"
#include "frictionbench/bench/run/runner.hpp"
#include "frictionbench/derivatives/derivatives_file.hpp"
#include "frictionbench/fclib/file_rows.hpp"
#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/fclib/writer.hpp"
#include "frictionbench/results/document/json.hpp"
#include "known_solvers.hpp"
#include "number_file.hpp"
#include "outputs.hpp"
#include "summary_table.hpp"
#include "table.hpp"
#include "verdict_text.hpp"

namespace frictionbench::app {

namespace {

struct SolveArguments {
  KnownSolvers known;
  std::string problem;
  std::string solver;
  bench::RunOptions options;
  std::string json;
  std::string impulse;
  std::string derivatives;
  std::string output;  // of derivatives
  bool write_solution = false;
  bool force = false;
};

constexpr const char* notes = R"help(Examples:
  frictionbench solve FILE.hdf5 --solver ncp-pgs
  frictionbench solve FILE.hdf5 --solver "ncp-admm(p=0.08)" --history --tolerance 1e-9
  frictionbench solve FILE.hdf5 --solver ncp-pgs --warm-start guess        starts from the file's first guess
  frictionbench solve FILE.hdf5 --solver ncp-admm --write-impulse r.txt    one number per line
  frictionbench solve FILE.hdf5 --solver ncp-admm --write-solution         adds /solution to FILE.hdf5
  frictionbench solve FILE.hdf5 --solver ncp-hybrid --tolerance 1e-10 --derivatives q,mu -o d.h5

Derivatives are those of the solver's model, NCP or CCP, at the impulse that it returned, with every contact
staying separated, sticking or sliding. They are as accurate as the impulse, so ask for a tight tolerance. At a
kink, where a block is between two of these, they hold to one side only; the output names such blocks. Where
contacts are hyperstatic, a change of a single velocity of q may have no derivative, and is NaN. The file has
  /q/r, /q/u     dr/dq and du/dq, m x m, a column per entry of q
  /mu/r, /mu/u   dr/dmu and du/dmu, m x n, mu of the n friction cones
  /law, /kinks   of each friction cone: 0 separated, 1 sticking, 2 sliding; blocks at a kink
  /r, /u         the solution

The solver runs in a process of its own, as in `run`; in gdb: set follow-fork-mode child.
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
      table.add_row(cells);
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

// "solve 1.23 ms (1 cold sample), 4.5 Cholesky factorisations; setup 0.4 ms, assembly 0 ms".
// \pre time.solve.
std::string time_text(const results::RecordTime& time) {
  const results::SampleSummary& solve = *time.solve;
  const auto equivalents = time.cholesky_equivalents();
  return fmt::format(
      "solve {:.3g} ms ({}){}; setup {:.3g} ms, assembly {:.3g} ms", solve.median * 1e3,
      solve.samples == 1 ? "1 cold sample" : fmt::format("median of {} samples", solve.samples),
      equivalents ? fmt::format(", {:.3g} Cholesky factorisations", *equivalents) : "",
      time.setup.value_or(0) * 1e3, time.assembly * 1e3);
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
  if (record.time.solve) text += "time: " + time_text(record.time) + "\n";
  if (record.verdict) text += "\n" + verdict_text(record);
  return text;
}

std::string start_text(const bench::StartPoint& start) {
  return start.shortfall.empty() ? fmt::format("started from the {} in the file", name(start.start))
                                 : "started from zero: " + start.shortfall;
}

// What is worth keeping of a solve: r, u = W r + q and, in the global form, v.
fclib::State state_of(const ContactProblem& problem, const Vector& r) {
  fclib::State state;
  state.r = r;
  state.u = problem.contact_velocity(r).head(fclib::rows_in_file(problem).contacts);
  if (problem.global()) state.v = problem.generalized_velocity(r);
  return state;
}

// Refuses what --write-solution could not do at the end.
void check_solution(const SolveArguments& arguments, const std::string& path,
                    const fclib::ProblemFile& file) {
  const auto refuse = [&](const char* reason) {
    throw std::invalid_argument(arguments.problem + ": /solution: " + reason);
  };
  if (arguments.options.compliance) refuse("--compliance makes another problem of the file's");
  if (file.solution && !arguments.force) refuse("already exists; use --force to replace it");
  if (access(path.c_str(), W_OK) != 0) refuse("the file cannot be written");
}

// What --derivatives cannot be asked of.
void check_derivatives(const SolveArguments& arguments, const SolverInfo& info) {
  if (arguments.derivatives.empty() || info.model != ContactModel::lcp) return;
  throw std::invalid_argument("--derivatives: " + info.name +
                              " solves the LCP; derivatives are known of NCP and CCP");
}

// \returns what was written, in words.
std::string write_derivatives_of(const SolveArguments& arguments, const ContactProblem& problem,
                                 ContactModel model, const Vector& r) {
  const bench::RunOptions& options = arguments.options;
  // Of another scale, the tolerance does not bound the relative residual.
  const double tolerance = options.scale == Scale::relative ? options.tolerance : 1e-6;
  const SolutionDerivatives derivatives(problem, model, r, tolerance);
  std::vector<Parameter> parameters;
  for (const Parameter parameter : {Parameter::q, Parameter::mu})
    if (fmt::format(",{},", arguments.derivatives).find(fmt::format(",{},", name(parameter))) !=
        std::string::npos)
      parameters.push_back(parameter);
  const WrittenDerivatives written =
      write_derivatives(arguments.output, problem, r, derivatives, parameters);
  std::string text =
      fmt::format("derivatives by {}: {} columns", arguments.derivatives, written.columns);
  if (written.undefined > 0)
    text += fmt::format(", {} of them NaN: hyperstatic contacts do not all stay as they are",
                        written.undefined);
  const std::vector<Index> kinks = derivatives.kinks();
  if (!kinks.empty())
    text += fmt::format("; one-sided, because {}{} {} {} at a kink",
                        problem.is_plain() ? "contact" : "block", kinks.size() == 1 ? "" : "s",
                        fmt::join(kinks, ", "), kinks.size() == 1 ? "is" : "are");
  return text + "\n";
}

// Keeps the impulse.
class AnswerKeeper final : public bench::RunObserver {
 public:
  void finished(const results::Record&, const Vector& r) override { answer = r; }
  Vector answer;
};

int solve_command(const SolveArguments& arguments) {
  const bench::RunOptions& options = arguments.options;
  check(options);
  const Registry registry = arguments.known.load();
  const std::vector<ConfiguredSolver> solver{registry.make(arguments.solver)};
  const bench::ProblemSource source =
      bench::find_problem(arguments.problem, "solve takes one file; use run for more");
  const std::string& path = source.path;
  OutputCheck check(arguments.force, {path});
  check.add(arguments.json);
  check.add(arguments.impulse);
  check.add(arguments.output);
  check_derivatives(arguments, solver[0].solver->info());
  // The run reads the problem by itself; of the file, some options need more.
  std::optional<fclib::ProblemFile> file;
  if (arguments.write_solution || !arguments.derivatives.empty() ||
      options.warm_start != results::Start::zero)
    file = fclib::read_problem(path);
  if (arguments.write_solution) check_solution(arguments, path, *file);

  bench::PlanOptions plan_options;
  plan_options.measure = static_cast<const results::SolveSettings&>(options);
  AnswerKeeper keeper;
  const auto document =
      *bench::run(bench::make_plan({source}, solver, plan_options), solver, options, keeper);
  if (!document.unreadable.empty()) throw std::invalid_argument(document.unreadable[0].reason);
  const results::Record& record = document.records[0];

  std::FILE* const out = check.text_stream();
  if (options.history) fmt::print(out, "{}", history_text(record.history));
  fmt::print(out, "{}", record_text(document));
  if (options.warm_start != results::Start::zero)
    fmt::print(out, "{}\n", start_text(bench::start_from_file(*file, options.warm_start)));
  if (!arguments.json.empty()) results::write_document(arguments.json, document);
  const bool keep =
      !arguments.impulse.empty() || arguments.write_solution || !arguments.derivatives.empty();
  if (keep && !record.verdict)
    throw std::invalid_argument("there is no impulse to write: " + record.message);
  if (!arguments.impulse.empty()) write_numbers(arguments.impulse, keeper.answer);
  if (arguments.write_solution)
    fclib::write_solution(path,
                          state_of(as_taken_by(solver[0].info(), file->problem), keeper.answer),
                          arguments.force);
  if (!arguments.derivatives.empty()) try {
      fmt::print(
          out, "{}",
          write_derivatives_of(arguments, bench::prepared(file->problem, path, options.compliance),
                               solver[0].solver->info().model, keeper.answer));
    } catch (const NoSolution& error) {
      fmt::print(out, "no derivatives: {}\n", error.what());
      return 1;
    }
  return document.solved(record) ? 0 : 1;
}

}  // namespace

void add_solve(Command& program, const CommandLine& words, const Registry& solvers) {
  auto arguments = std::make_shared<SolveArguments>();
  arguments->known = KnownSolvers(solvers);
  arguments->options.command = words;
  arguments->options.repeat_time = 0;
  Command& command = program.add("solve", "Solve one problem and print the verdict on the answer");
  command.notes = notes;
  command.option("PROBLEM", arguments->problem, "FCLIB file", {.required = true});
  command.option("--solver", arguments->solver, "NAME or NAME(setting=value,...)",
                 {.value = "SOLVER", .suggest = arguments->known.names(), .required = true});
  arguments->known.add_option(command);
  command.described(part<results::SolveSettings>(arguments->options));
  command.option("--history", arguments->options.history,
                 "solve once more and print the residuals of the solver's own stopping test");
  command.option("--json", arguments->json, "write a results file with this one record",
                 {.value = "FILE"});
  command.option("--write-impulse", arguments->impulse,
                 "write the impulse r as text, one number per line, in FCLIB order",
                 {.value = "FILE"});
  command.option("--write-solution", arguments->write_solution,
                 "add r, u (and v) to the problem file as /solution");
  command.option("--derivatives", arguments->derivatives,
                 "also compute how impulses r and velocities u follow small changes of q, of mu, "
                 "or of both",
                 {.choices = {"q", "mu", "q,mu"}, .needs = "--output"});
  command.option("-o,--output", arguments->output, "HDF5 file of --derivatives",
                 {.value = "FILE", .needs = "--derivatives"});
  command.option("--force", arguments->force, "overwrite existing files, replace /solution");
  command.run = [arguments] { return solve_command(*arguments); };
}

}  // namespace frictionbench::app
