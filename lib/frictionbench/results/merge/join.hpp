/// \file
/// Documents of the same problems with other solvers, put together to one.
#pragma once

#include <string>
#include <vector>

#include "frictionbench/results/merge/merge.hpp"

namespace frictionbench::results {

/// The document with the solvers of all, in the order given. Its `run` is that of the first;
/// `run.joined` says how each part was made, and which solvers it brought. Times may be from different
/// machines, which becomes a warning.
/// `missing` are pairs of the joined document that no part has.
/// \throws MergeError naming two files if a limit or another setting of their runs differs, a problem
///         is another file, a solver has other settings, both have a record of one pair, or a problem
///         is unreadable in one and has records in the other; also for shards.
Merged join(std::vector<NamedDocument> documents);

/// \throws MergeError naming both and the first limit or other setting in which the runs differ.
void require_same_settings(const std::string& name_a, const RunSettings& a,
                           const std::string& name_b, const RunSettings& b);

/// The commit that the records of a solver were made with; empty outside a git checkout.
std::string revision_of(const RunInfo& run, const std::string& solver);

}  // namespace frictionbench::results
