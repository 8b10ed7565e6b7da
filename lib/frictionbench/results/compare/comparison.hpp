/// \file
/// Compares two results documents: what got better, worse, lost or new.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "frictionbench/results/compare/rules.hpp"
#include "frictionbench/results/document/document.hpp"

namespace frictionbench::results {

/// What became of a pair, or of one thing in it, from the baseline to the candidate.
enum class Change {
  worse,
  better,
  lost,     ///< a pair of the baseline that the candidate does not have
  added,    ///< a pair of the candidate that the baseline does not have; named "new"
  changed,  ///< different, but neither better nor worse
  same,
};
constexpr auto describe(Change) {
  using enum Change;
  return enum_names<Change>("change", {{worse, "worse"},
                                       {better, "better"},
                                       {lost, "lost"},
                                       {added, "new"},
                                       {changed, "changed"},
                                       {same, "same"}});
}

/// One thing in which two records of a pair differ by more than the rules allow.
struct Difference {
  std::string what;  ///< "solved", "status", the name of a counter, "residual" or "time"
  Change change = Change::worse;  ///< worse, better or changed
  double baseline = 0;            ///< NaN for "solved" and "status", which are in the outcomes
  double candidate = 0;           ///< NaN where baseline is
  double ratio = 1;  ///< candidate / baseline, where residuals and times below their floor count as
                     ///< that; may be infinite, and is NaN for "solved" and "status"
  std::optional<Interval> interval = {};  ///< of the ratio of times, at a confidence of 95 %
  std::optional<double> p_value = {};     ///< of the test of times
};

/// Outcome of a pair in one of the documents.
struct Outcome {
  Status status = Status::error;        ///< how the solve ended
  bool solved = false;                  ///< under the run's criterion
  std::optional<double> residual = {};  ///< of the run's criterion; absent without an impulse
  /// s, median of the solve, over all rounds if there are several; absent if it was not measured.
  std::optional<double> time = {};
  int samples = 0;           ///< timed solves per round; 1: a single cold sample
  std::string message = {};  ///< of the record, one line for people; empty if there is none
};

/// A problem and a solver in both documents.
struct PairComparison {
  std::string problem;  ///< id in the baseline; in the candidate if it is new
  std::string solver;   ///< id, or "A -> B" where B of the candidate is compared with A
  /// One is absent for lost and new pairs. @{
  std::optional<Outcome> baseline, candidate;  /// @}
  Change change = Change::same;                ///< of the candidate against the baseline
  std::vector<Difference> differences;         ///< most severe first

  /// Whether there was nothing to judge: both solvers refused the problem.
  bool refused() const;
};

/// How many pairs there are of each kind.
struct ChangeCounts {
  /// Pairs of that Change. @{
  int worse = 0, better = 0, lost = 0, added = 0, changed = 0, same = 0;  /// @}

  void count(Change change);  ///< adds a pair
  bool operator==(const ChangeCounts&) const = default;
};

/// All pairs of one solver.
struct SolverComparison {
  std::string solver;   ///< as PairComparison::solver
  ChangeCounts counts;  ///< of the solver's pairs
  /// Counter -> median of candidate / baseline over the pairs where it differs, infinite if most
  /// of these had none in the baseline.
  std::map<std::string, double> median_ratios;
};

/// How the candidate differs from the baseline.
struct Comparison {
  ChangeCounts counts;                    ///< of all pairs
  std::vector<SolverComparison> solvers;  ///< in the order of the baseline, then new ones
  std::vector<PairComparison> pairs;      ///< worst first: worse, lost, better, changed, new, same
  int left_out = 0;  ///< pairs that one of the runs ended by its time limit, if the limits differ
  std::vector<std::string> notes;  ///< what the reader should know, one line each
  bool lost_is_worse = true;       ///< ComparisonRules::lost_is_worse

  /// Whether the candidate is worse than the baseline in anything.
  bool regressed() const { return counts.worse > 0 || (lost_is_worse && counts.lost > 0); }
};

/// How two documents are compared.
struct ComparisonOptions {
  ComparisonRules rules = {};  ///< what counts as worse
  bool any_machine = false;    ///< times of different processors are compared, too
  /// Solver ids of the baseline and of the candidate to compare, and no others; if empty, solvers
  /// of equal name and settings, then of equal id.
  std::vector<std::pair<std::string, std::string>> solvers = {};
};

/// Documents that cannot be compared. what() is one line with the reason.
class NotComparable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Pairs the records by the SHA-256 of the problem's file and the settings of the solver.
/// Where the time limits differ, pairs that either run ended by its own, and that are not solved in
/// both, are left out.
/// \throws NotComparable if the documents were judged, started or limited differently otherwise, or
///         have no pair of problem and solver to compare.
/// \throws std::invalid_argument for a solver id that is in no document.
Comparison compare(const Document& baseline, const Document& candidate,
                   const ComparisonOptions& options);

/// Described in results/README.md.
nlohmann::json to_json(const Comparison& comparison);

}  // namespace frictionbench::results
