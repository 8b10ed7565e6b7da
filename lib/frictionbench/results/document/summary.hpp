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
  int wrong = 0;          ///< reported converged, but not solved by the verdict
  int failed = 0;         ///< crashed, error, memory_limit
  int timed_out = 0;      ///< ended by the time limit
  int refused = 0;        ///< problems that the solver does not take
  /// Shifted geometric mean (shift `time_shift`) of the median solve time over all problems that
  /// the solver did not refuse; one that is not solved counts as the time limit. Absent if all were
  /// refused.
  std::optional<double> time;
  std::optional<Spread> iterations;      ///< over solved problems
  std::optional<Spread> factorizations;  ///< over solved problems
};

inline constexpr double time_shift = 1e-4;  ///< s

/// Rows by family, then solver, in the document's order; then, with more than one family, rows over
/// all of them under the name "all".
std::vector<SummaryRow> summarize(const Document& document);

}  // namespace frictionbench::results
