/// \file
/// What is computed in a process of its own: the record of a pair, the condition number of a
/// problem.
#pragma once

#include "frictionbench/bench/measure/measure.hpp"
#include "frictionbench/bench/plan/run_options.hpp"
#include "frictionbench/bench/process/internal/worker.hpp"
#include "frictionbench/results/document/document.hpp"
#include "frictionbench/solver/registry.hpp"

namespace frictionbench::bench {

/// A pair that is to be measured.
struct PairWork {
  const ContactProblem& problem;
  const ConfiguredSolver& solver;
  const StartPoint& start;
};

/// A pair under way.
struct PairProcess {
  std::unique_ptr<Lease> lease;  ///< of its solver, until the process has ended
  Worker worker;                 ///< that measures it
};

/// What became of a pair.
struct PairOutcome {
  results::Record record;
  Answer answer;  ///< empty if there is none to judge
};

/// What a later round of a pair gave.
struct RoundOutcome {
  /// s, median of its samples; absent if it ended by its time limit, or differs from the first.
  std::optional<double> time = {};
  std::string change = {};  ///< in what it differs from the first round; empty if in nothing
  Vector r = {};            ///< the impulse; empty if there is none, or if the round differs
};

/// Starts the measurement of a pair in a child process pinned to `processor`.
/// \throws std::system_error if no process can be made.
PairProcess start_pair(const PairWork& pair, const RunOptions& options, int processor);

/// The outcome of a pair whose process has ended, however it ended: the record that it sent, or one
/// whose status tells why it sent none (`crashed`, `time_limit`, `memory_limit`, `error`), with the
/// end of its standard error. The answer is judged here, in the process of the harness, which no
/// solver has touched. Ids and what the harness itself measures are left empty.
/// \param problem, info of the pair.
PairOutcome outcome_of(const WorkerOutcome& outcome, const ContactProblem& problem,
                       const SolverInfo& info, const RunOptions& options);

/// The outcome of a later round, in which a pair was measured once more from the same start.
/// \param first the record of the first round.
RoundOutcome round_outcome_of(const WorkerOutcome& outcome, const results::Record& first,
                              const RunOptions& options);

/// Starts computing the condition number of a problem in a child process, without a time limit.
/// \throws std::system_error if no process can be made.
Worker start_condition(const ContactProblem& problem, const RunOptions& options, int processor);

/// The condition number from the process that computed it; nothing for a problem that is too large.
/// \throws std::runtime_error with the reason if the process failed.
std::optional<double> condition_of(const WorkerOutcome& outcome, const RunOptions& options);

}  // namespace frictionbench::bench
