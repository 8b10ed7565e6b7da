/// \file
/// One (problem, solver) pair, solved, timed and judged in this process.
#pragma once

#include <string>

#include "frictionbench/fclib/problem_file.hpp"
#include "frictionbench/results/document/document.hpp"
#include "frictionbench/results/document/run_settings.hpp"
#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solver/solver.hpp"

namespace frictionbench::bench {

/// The impulse that a solve starts from, and where it comes from.
struct StartPoint {
  results::Start start = results::Start::zero;  ///< what the solve really starts from
  Vector impulse;                               ///< empty for a start at zero
  std::string previous;   ///< id of the problem whose answer it is; empty if it is none
  std::string shortfall;  ///< why it is zero although another start was wanted; empty if it is not
};

/// What a problem file has to start from: its first guess, its solution, or zero if it has none
/// that fits the problem. \param wanted zero, guess or solution.
StartPoint start_from_file(const fclib::ProblemFile& file, results::Start wanted);

using MeasureOptions = results::SolveSettings;  ///< limits, tolerance, repetitions

/// A record, and the impulse behind it.
struct Measurement {
  results::Record record;  ///< ids are left empty
  Vector r;                ///< m; empty if the solver gave none
};

/// Solves, repeats for the time, judges.
///
/// A solve shorter than `repeat_time` is a warm-up; the solve is then repeated until the samples
/// add up to `repeat_time`. A longer one is itself the only sample. Status, counters (those of the
/// processor, too) and impulse are those of the first solve, so they do not depend on how often it
/// was repeated. Exceptions of the solver pass through.
Measurement measure(const ContactProblem& problem, const ConfiguredSolver& solver,
                    const MeasureOptions& options, const Vector& impulse = {});

/// One more solve, untimed, with every iteration written down.
std::vector<Iterate> record_history(const ContactProblem& problem, const ConfiguredSolver& solver,
                                    const MeasureOptions& options, const Vector& impulse = {});

/// At most `rows` rows of a history, its first and its last among them, evenly spread over the
/// logarithm of the iteration as plots show it. \param rows at least 2.
std::vector<Iterate> thinned(const std::vector<Iterate>& history, std::size_t rows);

}  // namespace frictionbench::bench
