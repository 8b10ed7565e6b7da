/// \file
/// One (problem, solver) pair, solved and timed in this process; and the verdict on its answer, for
/// which there may be another.
#pragma once

#include <string>

#include "frictionbench/fclib/problem_file.hpp"
#include "frictionbench/hdf5/answers.hpp"
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

/// What a solve left behind.
struct Measurement {
  results::Record record;  ///< without ids, RecordTime::cholesky, verdict, and what follows from it
  Answer answer;           ///< to be judged
};

/// Solves, and repeats for the time.
///
/// A solve shorter than `repeat_time` is a warm-up; the solve is then repeated until the samples
/// add up to `repeat_time`. A longer one is itself the only sample. Status, counters (those of the
/// processor, too) and answer are those of the first solve, so they do not depend on how often it
/// was repeated; a repetition with another impulse, bit by bit, or other counters makes the record
/// `not_repeatable`. Exceptions of the solver pass through.
Measurement measure(const ContactProblem& problem, const ConfiguredSolver& solver,
                    const results::SolveSettings& options, const Vector& impulse = {});

/// RecordTime::cholesky: what is measured once per pair, beside the solve. Of a factorisation shorter
/// than 20 ms, the median of five after one to warm up: the first one in a process takes many times as
/// long on small problems, unless the solver has made some. NaN if the factorisation fails.
/// \pre the problem has contacts.
double time_cholesky(const ContactProblem& problem);

/// Record::impulse_sha256.
std::string sha256_of_impulse(const Vector& r);

/// Adds the verdict on an answer to the record of its solve, and confronts what the solver reported
/// with it: status `other_model`, `wrong`, or `error` for an answer of the wrong size. Uses nothing
/// but the problem, so it can be called where no solver has been.
/// \param info of the solver: its model.
void judge_answer(const ContactProblem& problem, const SolverInfo& info,
                  const results::JudgeSettings& settings, const Answer& answer,
                  results::Record& record);

/// What follows from the residuals that a record has: which models it solves, and whether the
/// convergence that the solver reported holds (statuses as judge_answer() sets them).
/// \param model the solver's.
void conclude(const results::JudgeSettings& settings, ContactModel model, results::Record& record);

/// One more solve, untimed, with every iteration written down.
std::vector<Iterate> record_history(const ContactProblem& problem, const ConfiguredSolver& solver,
                                    const results::SolveSettings& options,
                                    const Vector& impulse = {});

/// Rows of an iteration history that a record keeps.
inline constexpr std::size_t history_rows = 200;

/// At most `rows` rows of a history, its first and its last among them, evenly spread over the
/// logarithm of the iteration as plots show it. \param rows at least 2.
std::vector<Iterate> thinned(const std::vector<Iterate>& history, std::size_t rows);

}  // namespace frictionbench::bench
