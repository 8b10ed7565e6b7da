/// \file
/// A pair in a process of its own, from its start to its record.
#pragma once

#include "frictionbench/bench/run_options.hpp"
#include "frictionbench/bench/worker.hpp"
#include "frictionbench/results/document.hpp"
#include "frictionbench/solver/registry.hpp"

namespace frictionbench::bench {

/// Starts the measurement of a pair in a child process pinned to `processor`.
/// \throws std::system_error if no process can be made.
Worker start_pair(const ContactProblem& problem, const ConfiguredSolver& solver,
                  const RunOptions& options, int processor);

/// The record of a pair whose process has ended, however it ended: what it said, or a status that
/// tells why it said nothing (`crashed`, `time_limit`, `memory_limit`, `error`) with the last that
/// it wrote to standard error. Ids and what the harness itself measured are left empty.
results::Record record_of(const WorkerOutcome& outcome, const RunOptions& options);

}  // namespace frictionbench::bench
