#include "frictionbench/bench/runner.hpp"

#include <fmt/format.h>
#include <string.h>

#include <chrono>

#include "frictionbench/bench/environment.hpp"
#include "frictionbench/bench/worker.hpp"
#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/fclib/sha256.hpp"
#include "frictionbench/problem/facts.hpp"
#include "frictionbench/results/json.hpp"

namespace frictionbench::bench {

namespace {

// A solve may overrun its own limit by this much before its process is killed.
constexpr double grace = 2;  // s

// What the end of a child without a record means.
void interpret(const WorkerOutcome& outcome, double wall_limit, results::Record& record) {
  switch (outcome.end) {
    case WorkerOutcome::End::finished:
      break;
    case WorkerOutcome::End::threw:
      record.status = Status::error;
      record.message = outcome.payload;
      break;
    case WorkerOutcome::End::timed_out:
      record.status = Status::time_limit;
      record.message =
          fmt::format("killed after {:.1f} s: it did not stop at its time limit", wall_limit);
      break;
    case WorkerOutcome::End::signalled:
      record.status = Status::crashed;
      record.message = fmt::format("died by signal {} ({})", outcome.code, strsignal(outcome.code));
      break;
    case WorkerOutcome::End::exited:
      record.status = Status::crashed;
      record.message = fmt::format("ended the process with exit code {}", outcome.code);
      break;
  }
}

results::Record run_pair(const ContactProblem& problem, const ConfiguredSolver& solver,
                         const MeasureOptions& options) {
  const auto work = [&] { return to_json(measure(problem, solver, options).record).dump(); };
  // the first solve and, if it was short, its repetitions
  const double wall_limit = options.time_limit + 2 * options.repeat_time + grace;
  const WorkerOutcome outcome = run_in_child(work, wall_limit);
  results::Record record;
  if (outcome.end == WorkerOutcome::End::finished)
    record = results::record_from_json(nlohmann::json::parse(outcome.payload));
  else
    interpret(outcome, wall_limit, record);
  record.memory_peak = outcome.memory_peak;
  return record;
}

bool wanted(const ContactProblem& problem, const RunOptions& options) {
  return (!options.dimension || problem.dimension() == *options.dimension) &&
         (!options.max_contacts || problem.contacts() <= *options.max_contacts);
}

struct LoadedProblem {
  ContactProblem problem;
  results::ProblemEntry entry;
  double read_time;  // s
};

// Throws fclib::FileError, or InvalidProblem where only the reduction shows what is wrong.
LoadedProblem load(const ProblemSource& source) {
  const auto start = std::chrono::steady_clock::now();
  ContactProblem problem = fclib::read_problem(source.path).problem;
  const std::chrono::duration<double> read_time = std::chrono::steady_clock::now() - start;
  return {problem, describe(source, problem), read_time.count()};
}

}  // namespace

results::ProblemEntry describe(const ProblemSource& source, const ContactProblem& problem) {
  const ProblemFacts facts = facts_of(problem);
  results::ProblemEntry entry;
  entry.id = source.id;
  entry.path = source.path;
  entry.sha256 = fclib::sha256_of_file(source.path);
  entry.family = source.family;
  entry.form = problem.form();
  entry.dimension = problem.dimension();
  entry.contacts = problem.contacts();
  entry.unknowns = problem.unknowns();
  if (problem.global()) entry.dofs = problem.global()->M.rows();
  entry.nonzeros = facts.nonzeros;
  entry.asymmetry = facts.asymmetry;
  entry.mu_min = facts.mu_min;
  entry.mu_max = facts.mu_max;
  entry.bilateral = problem.bilateral_rows();
  return entry;
}

results::SolverEntry describe(const ConfiguredSolver& solver) {
  return {solver.id, solver.info().name, solver.info().model, solver.settings};
}

results::RunInfo describe(const RunOptions& options) {
  results::RunInfo run;
  run.command = options.command;
  run.started = utc_now();
  run.criterion = options.measure.criterion;
  run.tolerance = options.measure.tolerance;
  run.max_iterations = options.measure.max_iterations;
  run.time_limit = options.measure.time_limit;
  run.repeat_time = options.measure.repeat_time;
  describe_environment(run);
  return run;
}

results::Document run(const std::vector<ProblemSource>& problems,
                      const std::vector<ConfiguredSolver>& solvers, const RunOptions& options,
                      Progress& progress) {
  results::Document document;
  document.run = describe(options);
  for (const ConfiguredSolver& solver : solvers) document.solvers.push_back(describe(solver));

  progress.started(problems.size(), solvers.size());
  const auto unreadable = [&](const ProblemSource& source, const std::string& reason) {
    progress.unreadable(document.unreadable.emplace_back(results::Unreadable{source.path, reason}));
  };
  for (const ProblemSource& source : problems) {
    std::optional<LoadedProblem> loaded;
    try {
      loaded = load(source);
    } catch (const fclib::FileError& error) {
      unreadable(source, error.what());
      continue;
    } catch (const InvalidProblem& error) {
      unreadable(source, source.path + ": " + error.what());
      continue;
    }
    if (!wanted(loaded->problem, options)) {
      progress.left_out(source);
      continue;
    }
    document.problems.push_back(loaded->entry);
    for (const ConfiguredSolver& solver : solvers) {
      results::Record record = run_pair(loaded->problem, solver, options.measure);
      record.problem = source.id;
      record.solver = solver.id;
      record.time.read = loaded->read_time;
      record.time.assembly = loaded->problem.assembly_time();
      progress.finished(document.records.emplace_back(std::move(record)));
    }
  }
  document.run.finished = utc_now();
  return document;
}

}  // namespace frictionbench::bench
