#include "frictionbench/bench/process/internal/pair_process.hpp"

#include <fmt/format.h>
#include <malloc.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include <algorithm>
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

// The first solve, further tries if asked for and, if the last was short, its repetitions; and once more
// for the history.
double wall_limit(const RunOptions& options) {
  const int solves = 1 + (options.history ? 1 : 0) + (options.match_verdict ? 1 : 0);
  return solves * options.time_limit + 2 * options.repeat_time + grace;
}

// Bytes: the largest resident set of this process, and of those that it started and that have ended.
std::int64_t memory_peak() {
  rusage own{}, started{};
  getrusage(RUSAGE_SELF, &own);
  getrusage(RUSAGE_CHILDREN, &started);
  return std::int64_t{std::max(own.ru_maxrss, started.ru_maxrss)} * 1024;
}

// What the child sends: a record without a verdict, and the answer. What is not finite becomes null.
nlohmann::json measured(const PairWork& pair, const RunOptions& options) {
  const Vector& start = pair.start.impulse;
  auto [record, answer] = measure(pair.problem, pair.solver, options, start);
  record.memory_peak = memory_peak();
  if (options.history && record.status != Status::refused)
    record.history =
        thinned(record_history(pair.problem, pair.solver, options, start), history_rows);
  return {{"record", to_json(record)},
          {"r", results::to_json(answer.r)},
          {"compliance", results::to_json(answer.compliance)},
          {"velocity", results::to_json(answer.velocity)}};
}

// A number that a child sent; nothing for what is none.
std::optional<double> number_from(const std::string& text) {
  const auto number = nlohmann::json::parse(text, nullptr, false);
  return number.is_number() ? std::optional(number.get<double>()) : std::nullopt;
}

Vector vector_from(const nlohmann::json& values) {
  Vector vector(static_cast<Index>(values.size()));
  for (std::size_t k = 0; k < values.size(); ++k)
    vector[static_cast<Index>(k)] =
        values[k].is_null() ? std::numeric_limits<double>::quiet_NaN() : values[k].get<double>();
  return vector;
}

results::Record unfinished(Status status, std::string message,
                           const std::string& standard_error = "") {
  results::Record record;
  record.status = status;
  record.message = std::move(message);
  if (!standard_error.empty()) record.message += ": " + standard_error;
  return record;
}

// A process with a corrupted heap, or a solver that forges records, may send anything: only what
// the solver may say of itself is taken over.
PairOutcome received(const std::string& payload, const ContactProblem& problem,
                     const SolverInfo& info, const RunOptions& options) try {
  const auto message = nlohmann::json::parse(payload);
  PairOutcome outcome{results::record_from_json(message.at("record")), {}};
  results::Record& record = outcome.record;
  record.verdict.reset();
  record.own_model.reset();
  record.solved = {};
  Answer answer{vector_from(message.at("r")), vector_from(message.at("compliance")),
                vector_from(message.at("velocity"))};
  if (record.status != Status::refused) judge_answer(problem, info, options, answer, record);
  if (record.verdict) outcome.answer = std::move(answer);
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

// In what the record of a later round differs from the first; empty if in nothing. Statuses are not
// compared: that of the first round has met its verdict.
std::string change_from(const results::Record& first, const results::Record& later,
                        const Vector& r) {
  if (later.status == Status::not_repeatable) return later.message;
  if (!later.time.solve) return fmt::format("status {}: {}", name(later.status), later.message);
  if (!first.impulse_sha256.empty() && first.impulse_sha256 != sha256_of_impulse(r))
    return "another impulse than in the first round";
  if (first.iterations != later.iterations)
    return fmt::format("{} iterations, {} in the first round", later.iterations, first.iterations);
  return first.work == later.work ? "" : "other work counters than in the first round";
}

RoundOutcome received_round(const std::string& payload, const results::Record& first) try {
  const auto message = nlohmann::json::parse(payload);
  const results::Record later = results::record_from_json(message.at("record"));
  RoundOutcome round;
  // A solve that its time limit ended stops anywhere.
  if (later.status == Status::time_limit) return round;
  Vector r = vector_from(message.at("r"));
  round.change = change_from(first, later, r);
  if (!round.change.empty()) return round;
  round.time = later.time.solve->median;
  round.r = std::move(r);
  return round;
} catch (const std::exception& error) {
  return {.change = fmt::format("the solver process returned an invalid record: {}", error.what())};
}

}  // namespace

PairProcess start_pair(const PairWork& pair, const RunOptions& options, int processor) {
  const double wall = wall_limit(options), wall_afterwards = options.time_limit + grace;
  malloc_trim(0);  // the child's largest size would contain what earlier problems took
  auto lease = pair.solver.solver->lease({processor, options.memory_limit});
  bool comparable = pair.problem.contacts() > 0 && pair.problem.has_W();
  const auto solve = [&] {
    const nlohmann::json message = measured(pair, options);
    if (message["record"]["status"] == name(Status::refused)) comparable = false;
    return message.dump();
  };
  // The factorisation that times are compared with may need more time and memory than the solver did.
  const auto compare = [&] {
    return comparable ? nlohmann::json(time_cholesky(pair.problem)).dump() : std::string();
  };
  Worker worker(solve,
                {.wall = wall,
                 .cpu = wall + wall_afterwards + 1,
                 .memory = options.memory_limit,
                 .processor = processor,
                 .descriptors = lease ? lease->descriptors() : std::vector<int>()},
                {.work = compare, .wall = wall_afterwards});
  return {std::move(lease), std::move(worker)};
}

PairOutcome outcome_of(const WorkerOutcome& outcome, const ContactProblem& problem,
                       const SolverInfo& info, const RunOptions& options) {
  PairOutcome pair = outcome.end == WorkerOutcome::End::finished
                         ? received(outcome.payload, problem, info, options)
                         : PairOutcome{missing_record(outcome, options), {}};
  pair.record.memory_peak =
      std::min(pair.record.memory_peak.value_or(outcome.memory_peak), outcome.memory_peak);
  pair.record.time.cholesky = number_from(outcome.afterthought);
  if (!(pair.record.time.cholesky > 0)) pair.record.time.cholesky.reset();
  return pair;
}

RoundOutcome round_outcome_of(const WorkerOutcome& outcome, const results::Record& first,
                              const RunOptions& options) {
  if (outcome.end == WorkerOutcome::End::finished) return received_round(outcome.payload, first);
  const results::Record missing = missing_record(outcome, options);
  if (missing.status == Status::time_limit) return {};
  return {.change = fmt::format("status {}: {}", name(missing.status), missing.message)};
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
  return number_from(outcome.payload);
}

}  // namespace frictionbench::bench
