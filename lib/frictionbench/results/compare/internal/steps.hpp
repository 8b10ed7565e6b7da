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

/// Whether both have samples enough for a test of the times.
bool time_is_testable(const Record& baseline, const Record& candidate);

/// Whether a Difference::what is the name of a counter.
bool is_counter(const std::string& what);

/// Sets the pair's outcomes, differences and change.
/// \param tolerance of the run, for the residuals' floor.
void judge(PairComparison& pair, const JudgedRecord& baseline, const JudgedRecord& candidate,
           const ComparisonRules& rules, double tolerance);

}  // namespace frictionbench::results
