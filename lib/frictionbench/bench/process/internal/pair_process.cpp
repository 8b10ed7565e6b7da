#include "frictionbench/bench/process/internal/pair_process.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <string.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "frictionbench/bench/measure/measure.hpp"
#include "frictionbench/problem/facts.hpp"
#include "frictionbench/results/document/json.hpp"

namespace frictionbench::bench {

namespace {

// A solve may overrun its own limit by this much before its process is killed.
constexpr double grace = 2;  // s

// Rows of an iteration history that a record keeps.
constexpr std::size_t history_rows = 200;

// The first solve and, if it was short, its repetitions; and once more for the history.
double wall_limit(const RunOptions& options) {
  return (options.history ? 2 : 1) * options.time_limit + 2 * options.repeat_time + grace;
}

// What the child sends: the record, and the impulse where it is wanted and of use.
nlohmann::json measured(const PairWork& pair, const RunOptions& options) {
  const Vector& start = pair.start.impulse;
  Measurement measurement = measure(pair.problem, pair.solver, options, start);
  results::Record& record = measurement.record;
  if (options.history && record.status != Status::refused)
    record.history =
        thinned(record_history(pair.problem, pair.solver, options, start), history_rows);
  nlohmann::json message{{"record", to_json(record)}};
  if (pair.answer_wanted && measurement.r.allFinite())
    message["r"] = results::to_json(measurement.r);
  return message;
}

results::Record unfinished(Status status, std::string message,
                           const std::string& standard_error = "") {
  results::Record record;
  record.status = status;
  record.message = std::move(message);
  if (!standard_error.empty()) record.message += ": " + standard_error;
  return record;
}

// A process with a corrupted heap may send anything.
PairOutcome received(const std::string& payload) try {
  const auto message = nlohmann::json::parse(payload);
  PairOutcome outcome{results::record_from_json(message.at("record")), {}};
  if (message.contains("r")) outcome.r = results::vector_from_json(message.at("r"));
  return outcome;
} catch (const std::exception& error) {
  return {unfinished(Status::error, fmt::format("the solver process returned an invalid record: {}",
                                                error.what())),
          {}};
}

// Why a process sent no record.
results::Record missing_record(const WorkerOutcome& outcome, const RunOptions& options) {
  using End = WorkerOutcome::End;
  switch (outcome.end) {
    case End::threw:
      return unfinished(Status::error, outcome.payload);
    case End::out_of_memory:
      return unfinished(Status::memory_limit, "ran out of memory");
    case End::timed_out:
      return unfinished(Status::time_limit,
                        fmt::format("killed after {:.1f} s: it did not stop at its time limit",
                                    wall_limit(options)),
                        outcome.standard_error);
    case End::signalled:
      return unfinished(
          outcome.code == SIGXCPU ? Status::time_limit : Status::crashed,
          fmt::format("died by signal {} ({})", outcome.code, strsignal(outcome.code)),
          outcome.standard_error);
    case End::exited:
      return unfinished(Status::crashed,
                        fmt::format("ended the process with exit code {}", outcome.code),
                        outcome.standard_error);
    case End::finished:
      break;
  }
  throw std::logic_error("a finished process has a record");
}

}  // namespace

Worker start_pair(const PairWork& pair, const RunOptions& options, int processor) {
  const double wall = wall_limit(options);
  return Worker(
      [&] { return measured(pair, options).dump(); },
      {.wall = wall, .cpu = wall + 1, .memory = options.memory_limit, .processor = processor});
}

PairOutcome outcome_of(const WorkerOutcome& outcome, const RunOptions& options) {
  PairOutcome pair = outcome.end == WorkerOutcome::End::finished
                         ? received(outcome.payload)
                         : PairOutcome{missing_record(outcome, options), {}};
  pair.record.memory_peak = outcome.memory_peak;
  return pair;
}

Worker start_condition(const ContactProblem& problem, const RunOptions& options, int processor) {
  return Worker(
      [&] {
        const auto spectrum = spectrum_of(problem);
        return (spectrum ? nlohmann::json(spectrum->condition) : nlohmann::json()).dump();
      },
      {.wall = std::numeric_limits<double>::infinity(),
       .memory = options.memory_limit,
       .processor = processor});
}

std::optional<double> condition_of(const WorkerOutcome& outcome, const RunOptions& options) {
  if (outcome.end != WorkerOutcome::End::finished)
    throw std::runtime_error(missing_record(outcome, options).message);
  const auto condition = nlohmann::json::parse(outcome.payload, nullptr, false);
  return condition.is_number() ? std::optional(condition.get<double>()) : std::nullopt;
}

}  // namespace frictionbench::bench
