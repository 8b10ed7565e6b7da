/// \file
/// Summary of a document: one row per family and solver.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frictionbench/results/document/document.hpp"

namespace frictionbench::results {

/// Mean and standard deviation of a counter.
struct Spread {
  double mean = 0;       ///< arithmetic
  double deviation = 0;  ///< standard_deviation()
};

/// How one solver did on one family of problems.
struct SummaryRow {
  std::string family;     ///< ProblemEntry::family, or "all"
  std::string solver;     ///< SolverEntry::id
  int problems = 0;       ///< records of this solver on the family
  int solved = 0;         ///< under the run's criterion
  int solved_native = 0;  ///< under the solver's own model, at the scale of the run
  int wrong = 0;          ///< reported convergence, refuted on its own model
  int other_model = 0;    ///< solved its own model, and not the criterion's
  int failed = 0;         ///< crashed, error, memory_limit, diverged, not_repeatable
  int timed_out = 0;      ///< ended by the time limit
  int refused = 0;        ///< problems that the solver does not take
  /// Shifted geometric mean (shift `time_shift`) of the median solve times of solved problems. What is
  /// not solved has no time: `solved` says how many those are. Nor has a solve that is not repeatable,
  /// because its repetitions did other work than its answer took. Absent if no problem is left.
  std::optional<double> time;
  std::optional<double> cholesky_equivalents;  ///< geometric mean over the same problems
  std::optional<Spread> iterations;            ///< over solved problems
  std::optional<Spread> factorizations;        ///< over solved problems
  /// Largest over the answers that solve the criterion's or the solver's own model, in the units of
  /// the files; absent without such an answer, or where version 1 did not measure it. @{
  std::optional<double> creep, lift;  /// @}
  std::optional<double> model_gap;    ///< largest OwnModel::gap; absent if the solver chose none
};

inline constexpr double time_shift = 1e-4;  ///< s

/// Rows by family, then solver, in the document's order; then, with more than one family, rows over
/// all of them under the name "all".
std::vector<SummaryRow> summarize(const Document& document);

/// How many samples are behind the times of solved problems: smallest and largest number.
struct SampleCounts {
  int fewest = 0;  ///< of a solved problem
  int most = 0;    ///< of a solved problem
};
/// Absent if no solved problem has a time.
std::optional<SampleCounts> samples_of_solved(const Document& document);

}  // namespace frictionbench::results
