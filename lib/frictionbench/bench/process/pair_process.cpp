#include "frictionbench/bench/process/pair_process.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <string.h>

#include "frictionbench/bench/measure/measure.hpp"
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
  const InitialGuess& guess = pair.start.guess;
  Measurement measurement = measure(pair.problem, pair.solver, options, guess);
  results::Record& record = measurement.record;
  if (options.history && record.status != Status::refused)
    record.history =
        thinned(record_history(pair.problem, pair.solver, options, guess), history_rows);
  nlohmann::json message{{"record", to_json(record)}};
  if (pair.answer_wanted && measurement.r.allFinite())
    message["r"] = results::to_json(measurement.r);
  return message;
}

results::Record unfinished(Status status, std::string message, const std::string& last_words = "") {
  results::Record record;
  record.status = status;
  record.message = std::move(message);
  if (!last_words.empty()) record.message += ": " + last_words;
  return record;
}

// A heap that was corrupted without killing its process may send anything.
PairOutcome received(const std::string& payload) try {
  const auto message = nlohmann::json::parse(payload);
  PairOutcome outcome{results::record_from_json(message.at("record")), {}};
  if (message.contains("r")) outcome.r = results::vector_from_json(message.at("r"));
  return outcome;
} catch (const std::exception& error) {
  return {
      unfinished(Status::error, fmt::format("sent a record that makes no sense: {}", error.what())),
      {}};
}

// Why a process said nothing.
results::Record untold(const WorkerOutcome& outcome, const RunOptions& options) {
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
    case End::finished:
      break;
  }
  throw std::logic_error("no such end of a process that said nothing");
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
                         : PairOutcome{untold(outcome, options), {}};
  pair.record.memory_peak = outcome.memory_peak;
  return pair;
}

}  // namespace frictionbench::bench
