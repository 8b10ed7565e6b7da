#include "frictionbench/bench/measure/in_process.hpp"

#include <fmt/format.h>

#include <new>
#include <stdexcept>

#include "frictionbench/base/text.hpp"

namespace frictionbench::bench {

namespace {

Measurement failed(Status status, std::string message) {
  Measurement measurement;
  measurement.record.status = status;
  measurement.record.message = std::move(message);
  return measurement;
}

Measurement measure_here(const ContactProblem& problem, const ConfiguredSolver& solver,
                         const results::SolveSettings& settings, const Vector& start,
                         bool history) try {
  Measurement measurement = measure(problem, solver, settings, start);
  if (history && measurement.record.status != Status::refused)
    measurement.record.history =
        thinned(record_history(problem, solver, settings, start), history_rows);
  return measurement;
} catch (const std::bad_alloc&) {
  return failed(Status::memory_limit, "ran out of memory");
} catch (const std::exception& error) {
  return failed(Status::error, solver_text(error.what()));
}

}  // namespace

Measurement solve_here(const ContactProblem& problem, const ConfiguredSolver& solver,
                       const results::SolveSettings& settings, const Vector& start, bool history) {
  if (start.size() != 0 && start.size() != problem.unknowns())
    throw std::invalid_argument(
        fmt::format("the start has {} entries, expected {}", start.size(), problem.unknowns()));
  Measurement measurement = measure_here(problem, solver, settings, start, history);
  if (measurement.record.status != Status::refused)
    judge_answer(problem, solver.info(), settings, measurement.answer, measurement.record);
  if (!measurement.record.verdict) measurement.answer = {};
  return measurement;
}

void check_without_solver(const results::JudgeSettings& settings) {
  check(settings);
  if (settings.criterion == Criterion::native)
    throw std::invalid_argument(
        "--criterion native asks for a solver's own model, but judge has no solver; use ncp, ccp "
        "or lcp");
}

results::Record judge_impulse(const ContactProblem& problem, const Vector& r,
                              const results::JudgeSettings& settings) {
  results::Record record;
  record.verdict = judge(problem, r, {settings.tolerance, settings.time_step, settings.facets});
  record.solved = results::solved_under_all(
      *record.verdict, judged_model(settings.criterion, ContactModel::ncp), {}, settings.tolerance);
  return record;
}

}  // namespace frictionbench::bench
