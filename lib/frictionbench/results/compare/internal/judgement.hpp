/// \file
/// Two records of the same problem and solver, judged by the rules. Internal to the comparison.
#pragma once

#include "frictionbench/results/compare/comparison.hpp"

namespace frictionbench::results {

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
