/// \file
/// What a run asks of every pair of problem and solver.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "frictionbench/base/describe.hpp"
#include "frictionbench/criteria/criterion.hpp"

namespace frictionbench::results {

/// Where a solve starts.
enum class Start {
  zero,      ///< no impulse at any contact
  guess,     ///< the first guess in the problem's file
  solution,  ///< the solution in the problem's file
  previous,  ///< what the same solver answered to an earlier problem of the sequence
};
constexpr auto describe(Start) {
  using enum Start;
  return enum_names<Start>(
      "start", {{zero, "zero", "no impulse at any contact"},
                {guess, "guess", "the first guess in the problem's file"},
                {solution, "solution", "the solution in the problem's file"},
                {previous, "previous", "the same solver's answer to an earlier problem"}});
}

/// A part of a run that is spread over several machines: the `number`-th of `count` parts of a
/// plan, counted from 1.
struct Shard {
  int number = 1;  ///< from 1 to count
  int count = 1;   ///< parts of the plan

  bool operator==(const Shard&) const = default;
};

std::string text(const Shard& shard);  ///< "3/8"
/// \throws std::invalid_argument for a text that is not "i/n" with 1 <= i <= n.
Shard shard_from_text(std::string_view text);

/// What a single solve is asked for. Defaults are those of the command line.
struct SolveSettings {
  Criterion criterion = Criterion::ncp;  ///< the model whose residuals decide what is solved
  Scale scale = Scale::absolute;         ///< of these residuals
  double tolerance = 1e-6;               ///< residual that counts as solved
  int max_iterations = 20000;            ///< limit, as the solver's method counts them
  double time_limit = 60;                ///< s
  double repeat_time = 0.1;  ///< s, minimum total of the timed samples; 0 takes one sample
  std::optional<int> max_samples = {};  ///< limit on the timed samples; absent: none
  Start warm_start = Start::zero;       ///< zero, guess or solution
};

void describe(auto& visit, Is<SolveSettings> auto& solve) {
  visit("criterion", solve.criterion,
        {.help = "the model whose residuals decide whether a problem is solved; native is each "
                 "solver's own",
         .agreement = Agreement::results,
         .label = "the criterion"});
  visit("scale", solve.scale,
        {.help = "absolute residuals are in the units of the file; scaled ones are divided by the "
                 "problem's own impulse and velocity and do not depend on units",
         .agreement = Agreement::results,
         .label = "the scale"});
  visit("tolerance", solve.tolerance,
        {.help = "residual that counts as solved",
         .range = positive(),
         .agreement = Agreement::results,
         .label = "the tolerance"});
  visit("max_iterations", solve.max_iterations,
        {.help = "iteration limit of a solve",
         .range = at_least(1),
         .agreement = Agreement::results,
         .label = "the iteration limit"});
  visit("time_limit", solve.time_limit,
        {.help = "wall-clock limit of a solve",
         .unit = "s",
         .range = positive(),
         .agreement = Agreement::results,
         .label = "the time limit (s)"});
  visit("repeat_time", solve.repeat_time,
        {.help = "a solve is repeated until its samples add up to this time; 0 takes one sample",
         .unit = "s",
         .range = at_least(0),
         .agreement = Agreement::run});
  visit("max_samples", solve.max_samples,
        {.help = "at most this many timed samples, however short they are; no limit by default",
         .range = at_least(1),
         .agreement = Agreement::run,
         .added_later = true});
  visit("warm_start", solve.warm_start,
        {.help = "where a solve starts: at zero, at the first guess in the problem's file, or at "
                 "the solution in it; at zero where the file has none that fits",
         .choices = "zero|guess|solution",
         .agreement = Agreement::results,
         .label = "--warm-start"});
}

/// What a run of many pairs is asked for besides.
struct RunSettings : SolveSettings {
  bool sequence = false;  ///< a problem starts from the answer to the one before it in time
  std::optional<std::int64_t> memory_limit;  ///< bytes of address space for each pair
  int jobs = 1;            ///< pairs at the same time, each on a processor of its own
  bool history = false;    ///< solve once more, untimed, and keep the residuals of the iterations
  bool condition = false;  ///< compute every problem's condition number, untimed
};

void describe(auto& visit, Is<RunSettings> auto& run) {
  describe(visit, part<SolveSettings>(run));
  visit("sequence", run.sequence,
        {.help = "time steps of one simulation in their order, each from the same solver's answer "
                 "to the step before, where it has as many contacts",
         .agreement = Agreement::results,
         .label = "--sequence"});
  visit("memory_limit", run.memory_limit,
        {.help = "limit on the address space of a pair's process, e.g. 512M or 4G; none by default",
         .unit = "bytes",
         .range = at_least(1),
         .agreement = Agreement::run});
  visit("jobs", run.jobs,
        {.help = "pairs at the same time, each pinned to a processor of its own; they still share "
                 "memory bandwidth, so measure times with 1",
         .range = at_least(1)});
  visit("history", run.history,
        {.help = "solve every pair once more, untimed, and keep up to 200 rows of its residuals",
         .agreement = Agreement::run});
  visit("condition", run.condition,
        {.help = "compute the condition number of every problem of up to 1800 unknowns, untimed",
         .agreement = Agreement::run});
}

}  // namespace frictionbench::results
