/// \file
/// Problems solved and judged in the calling process, for programs that use the library: without the
/// isolation of a run, whose every pair has a process of its own.
#pragma once

#include "frictionbench/bench/measure/measure.hpp"

namespace frictionbench::bench {

/// Solves and judges as a run does, and gives the same answer, verdict and counters. What the solver
/// throws makes the record `error`, what it cannot allocate `memory_limit`, as in a run; but nothing
/// stops one that crashes, or that does not look at its time limit. The record has no ids and no
/// RecordTime::cholesky.
/// \param problem prepared().
/// \param start m, or empty for zero.
/// \param history whether to solve once more and keep the iterations.
/// \throws std::invalid_argument if `start` has another length.
Measurement solve_here(const ContactProblem& problem, const ConfiguredSolver& solver,
                       const results::SolveSettings& settings, const Vector& start = {},
                       bool history = false);

/// Refuses what cannot be asked of an impulse that no solver has made.
/// \throws std::invalid_argument as check(), and for the criterion `native`.
void check_without_solver(const results::JudgeSettings& settings);

/// The verdict on an impulse from anywhere, in a record that has nothing else.
/// \param problem prepared(). \param r m. \param settings that check_without_solver() accepts.
results::Record judge_impulse(const ContactProblem& problem, const Vector& r,
                              const results::JudgeSettings& settings);

}  // namespace frictionbench::bench
