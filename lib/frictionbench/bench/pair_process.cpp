#include "frictionbench/bench/pair_process.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <string.h>

#include "frictionbench/results/json.hpp"

namespace frictionbench::bench {

namespace {

// A solve may overrun its own limit by this much before its process is killed.
constexpr double grace = 2;  // s

// Rows of an iteration history that a record keeps.
constexpr std::size_t history_rows = 200;

// The first solve and, if it was short, its repetitions; and once more for the history.
double wall_limit(const RunOptions& options) {
  const MeasureOptions& measure = options.measure;
  return (options.history ? 2 : 1) * measure.time_limit + 2 * measure.repeat_time + grace;
}

results::Record measured(const ContactProblem& problem, const ConfiguredSolver& solver,
                         const RunOptions& options) {
  results::Record record = measure(problem, solver, options.measure).record;
  if (options.history && record.status != Status::refused)
    record.history = thinned(record_history(problem, solver, options.measure), history_rows);
  return record;
}

results::Record unfinished(Status status, std::string message, const std::string& last_words = "") {
  results::Record record;
  record.status = status;
  record.message = std::move(message);
  if (!last_words.empty()) record.message += ": " + last_words;
  return record;
}

// A heap that was corrupted without killing its process may send anything.
results::Record received(const std::string& payload) try {
  return results::record_from_json(nlohmann::json::parse(payload));
} catch (const std::exception& error) {
  return unfinished(Status::error,
                    fmt::format("sent a record that makes no sense: {}", error.what()));
}

// What a process said, or why it did not.
results::Record told(const WorkerOutcome& outcome, const RunOptions& options) {
  using End = WorkerOutcome::End;
  switch (outcome.end) {
    case End::finished:
      return received(outcome.payload);
    case End::threw:
      return unfinished(Status::error, outcome.payload);
    case End::out_of_memory:
      return unfinished(Status::memory_limit, "ran out of memory");
    case End::timed_out:
      return unfinished(Status::time_limit,
                        fmt::format("killed after {:.1f} s: it did not stop at its time limit",
                                    wall_limit(options)),
                        outcome.last_words);
    case End::signalled:
      return unfinished(
          outcome.code == SIGXCPU ? Status::time_limit : Status::crashed,
          fmt::format("died by signal {} ({})", outcome.code, strsignal(outcome.code)),
          outcome.last_words);
    case End::exited:
      return unfinished(Status::crashed,
                        fmt::format("ended the process with exit code {}", outcome.code),
                        outcome.last_words);
  }
  throw std::logic_error("unknown end of a process");
}

}  // namespace

Worker start_pair(const ContactProblem& problem, const ConfiguredSolver& solver,
                  const RunOptions& options, int processor) {
  const double wall = wall_limit(options);
  return Worker(
      [&] { return to_json(measured(problem, solver, options)).dump(); },
      {.wall = wall, .cpu = wall + 1, .memory = options.memory_limit, .processor = processor});
}

results::Record record_of(const WorkerOutcome& outcome, const RunOptions& options) {
  results::Record record = told(outcome, options);
  record.memory_peak = outcome.memory_peak;
  return record;
}

}  // namespace frictionbench::bench
