/// \file
/// Steps of a comparison: which records of two documents belong together, and what the rules say of
/// two of them.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "frictionbench/results/compare/comparison.hpp"

namespace frictionbench::results {

// Pairing.

/// \throws NotComparable if a setting differs in which compared results must agree.
void check_same_conditions(const RunInfo& baseline, const RunInfo& candidate);

/// Processor models that a run was made on: several for merged shards, none if it is not known.
std::vector<std::string> processors_of(const RunInfo& run);

/// Problem ids of the baseline -> those of the candidate with the same SHA-256. Where a document
/// has one file under several ids, equal ids belong together, and then the first that is left.
std::map<std::string, std::string> pair_problems(const Document& baseline,
                                                 const Document& candidate);

using SolverPairs = std::vector<std::pair<const SolverEntry*, const SolverEntry*>>;

/// Solvers that belong together, in the order of the baseline.
/// \param notes receives a line for every solver whose default settings differ.
/// \throws std::invalid_argument for an id in `options.solvers` that its document does not have.
SolverPairs pair_solvers(const Document& baseline, const Document& candidate,
                         const ComparisonOptions& options, std::vector<std::string>& notes);

// Judgement.

/// A record and what its document says about it.
struct JudgedRecord {
  const Record& record;
  Outcome outcome;
};

/// \param model the solver's own.
JudgedRecord judged(const Record& record, const RunInfo& run, ContactModel model);

/// Whether the rules of counters, residual and time apply: both records are solved, or ended
/// unsolved in the same way, and not by the clock.
bool same_ending(const Outcome& baseline, const Outcome& candidate);

/// Whether a Difference::what is the name of a counter.
bool is_counter(const std::string& what);

/// Sets the pair's outcomes, differences and change, all but those of time.
/// \param tolerance of the run, for the residuals' floor.
void judge(PairComparison& pair, const JudgedRecord& baseline, const JudgedRecord& candidate,
           const ComparisonRules& rules, double tolerance);

/// Adds a difference, and sets the pair's change and the order of its differences accordingly.
void add(PairComparison& pair, const Difference& difference);

// Times.

inline constexpr int fewest_rounds = 5;  ///< that times are judged by; fewer prove nothing

/// The times of a pair of records in each round of the runs.
struct PairedRounds {
  std::size_t pair;                         ///< in Comparison::pairs
  std::vector<double> baseline, candidate;  ///< s, equally many, at least fewest_rounds
};

/// Whether all its times are below TimeRule::floor: there is nothing to test.
bool is_below(const PairedRounds& rounds, double floor);

/// In the order of `pairs`, the differences of those that take more or less time: where Wilcoxon's
/// signed rank test on the logarithms of the ratios, round by round, finds them beyond
/// `rule.threshold`, and the test of so many pairs at the same time is allowed for, slower and
/// faster ones apart (discoveries()).
std::vector<std::optional<Difference>> time_differences(const std::vector<PairedRounds>& pairs,
                                                        const TimeRule& rule);

/// Median over the pairs of the median ratio candidate / baseline: what differs between the runs as
/// a whole. \param pairs at least one. \param floor TimeRule::floor.
double median_time_ratio(const std::vector<PairedRounds>& pairs, double floor);

/// How many of the pairs must be slower at the same time to be found with so many rounds.
std::size_t fewest_discoveries(std::size_t pairs, int rounds, double rate);

}  // namespace frictionbench::results
