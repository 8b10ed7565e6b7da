/// \file
/// Which records of two documents belong together. Internal to the comparison.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "frictionbench/results/compare/comparison.hpp"

namespace frictionbench::results {

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

}  // namespace frictionbench::results
