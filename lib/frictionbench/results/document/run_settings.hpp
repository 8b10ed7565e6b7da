/// \file
/// What a run asks of every pair of problem and solver.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "frictionbench/base/describe.hpp"
#include "frictionbench/criteria/criterion.hpp"
#include "frictionbench/problem/compliance_rule.hpp"
#include "frictionbench/problem/facts.hpp"

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
void from_text(std::string_view text, Shard& into);
/// A regular expression of such texts.
constexpr const char* text_pattern(const Shard&) { return "^[1-9][0-9]*/[1-9][0-9]*$"; }

/// What an answer is judged by. Defaults are those of the command line.
struct JudgeSettings {
  Criterion criterion = Criterion::ncp;  ///< the model whose residuals decide what is solved
  Scale scale = Scale::relative;         ///< of these residuals
  double tolerance = 1e-6;               ///< residual that counts as solved
  int facets = 4;                        ///< of the lcp's pyramid in 3D
  std::optional<double> time_step = {};  ///< s, for Scale::force
  std::optional<ComplianceRule> compliance = {};  ///< of every problem, instead of its own
};

/// \throws std::invalid_argument for a scale that needs a time step without one.
void check(const JudgeSettings& settings);

void describe(auto& visit, Is<JudgeSettings> auto& judge) {
  visit("criterion", judge.criterion,
        {.help = "the model whose residuals decide whether a problem is solved; native is each "
                 "solver's own",
         .agreement = Agreement::results,
         .label = "the criterion"});
  visit("scale", judge.scale,
        {.help = "units of residuals; relative: velocities, contact by contact, over that of the "
                 "contact's island; absolute: units of the file; scaled: the problem's own impulse "
                 "and velocity; force: absolute, with impulses divided by --time-step",
         .agreement = Agreement::results,
         .label = "the scale"});
  visit("tolerance", judge.tolerance,
        {.help = "residual that counts as solved",
         .range = positive(),
         .agreement = Agreement::results,
         .label = "the tolerance"});
  visit("facets", judge.facets,
        {.help = "facets of the pyramid that the criterion lcp has in 3D",
         .range = at_least(3),
         .agreement = Agreement::results,
         .label = "--facets"});
  visit("time_step", judge.time_step,
        {.help = "time step of the simulation that the problems are from, for --scale force",
         .unit = "s",
         .range = positive(),
         .agreement = Agreement::results,
         .label = "--time-step"});
  visit(
      "compliance", judge.compliance,
      {.help = "give every contact this compliance R in u = W r + R r + q, instead of that of its "
               "file: VALUE for each component, or diag:ALPHA for ALPHA times the diagonal of W",
       .agreement = Agreement::results,
       .label = "--compliance"});
}

/// What a single solve is asked for besides.
struct SolveSettings : JudgeSettings {
  int max_iterations = 20000;  ///< limit, as the solver's method counts them
  double time_limit = 60;      ///< s
  double repeat_time = 0.1;    ///< s, minimum total of the timed samples; 0 takes one sample
  std::optional<int> max_samples = {};  ///< limit on the timed samples; absent: none
  Start warm_start = Start::zero;       ///< zero, guess or solution
  bool match_verdict = false;           ///< ask for more where reported convergence is refuted
};

void describe(auto& visit, Is<SolveSettings> auto& solve) {
  describe(visit, part<JudgeSettings>(solve));
  visit("max_iterations", solve.max_iterations,
        {.help = "iteration limit of a solve",
         .range = at_least(1),
         .agreement = Agreement::results,
         .label = "the iteration limit"});
  visit("time_limit", solve.time_limit,
        {.help = "wall-clock limit of a solve",
         .unit = "s",
         .range = positive(),
         .agreement = Agreement::run});
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
  visit("match_verdict", solve.match_verdict,
        {.help =
             "where a solver reports convergence and the verdict refutes it, ask it for a tenth of "
             "the tolerance, and again, until the verdict agrees or the solver gives up; the "
             "record keeps all tries, and times are those of the last",
         .agreement = Agreement::results,
         .label = "--match-verdict",
         .added_later = true});
}

/// What a run of many pairs is asked for besides.
struct RunSettings : SolveSettings {
  bool sequence = false;  ///< a problem starts from the answer to the one before it in time
  std::optional<std::int64_t> memory_limit;  ///< bytes of address space for each pair
  int jobs = 1;          ///< pairs at the same time, each on a processor of its own
  int rounds = 1;        ///< how often every pair is measured, each time in a fresh process
  int seed = 0;          ///< of everything that is drawn at random
  bool history = false;  ///< solve once more, untimed, and keep the residuals of the iterations
  bool keep_impulses = false;  ///< in a compressed file beside the document
  bool condition = false;      ///< compute every problem's condition number, untimed
};

void describe(auto& visit, Is<RunSettings> auto& run) {
  describe(visit, part<SolveSettings>(run));
  visit("sequence", run.sequence,
        {.help = "time steps of one simulation in their order, each from the same solver's answer "
                 "to the step before, where it has as many contacts",
         .agreement = Agreement::results,
         .label = "--sequence"});
  visit("memory_limit", run.memory_limit,
        {.help = "limit on the address space of a pair's process, e.g. 512M or 4G, of which "
                 "the program itself takes about 250M; none by default",
         .unit = "bytes",
         .range = at_least(1),
         .agreement = Agreement::run});
  visit("jobs", run.jobs,
        {.help = "pairs at the same time, each pinned to a processor of its own; they still share "
                 "memory bandwidth, so measure times with 1",
         .range = at_least(1)});
  visit("rounds", run.rounds,
        {.help = "measure every pair this many times, each time in a fresh process, one round of "
                 "all pairs after the other; later rounds only add their times",
         .range = at_least(1),
         .agreement = Agreement::run,
         .added_later = true});
  visit("seed", run.seed,
        {.help = "of what is drawn at random: with several rounds, the order of the problems and "
                 "solvers in each",
         .range = at_least(0),
         .agreement = Agreement::run});
  visit("history", run.history,
        {.help = "solve every pair once more, untimed, and keep up to 200 rows of its residuals",
         .agreement = Agreement::run});
  visit(
      "keep_impulses", run.keep_impulses,
      {.help = "keep every answer in OUTPUT.impulses.h5, so that `rejudge` can judge it again and "
               "anyone can check the verdicts",
       .added_later = true});
  static const std::string condition_help =
      "compute the condition number of every problem of up to " + std::to_string(largest_spectrum) +
      " unknowns, untimed";
  visit("condition", run.condition, {.help = condition_help.c_str(), .agreement = Agreement::run});
}

}  // namespace frictionbench::results
