/// \file
/// Whether documents are shards of one run, and how the merged document was made.
#pragma once

#include "frictionbench/results/merge/merge.hpp"

namespace frictionbench::results {

/// \throws MergeError unless it is a shard.
void require_shard(const NamedDocument& document);

/// \throws MergeError naming the first thing in which the runs of two shards differ besides their
///         number, machine and times.
void require_same_run(const NamedDocument& a, const NamedDocument& b);

/// \param shards of one run, by their numbers; at least one.
RunInfo merged_run(const std::vector<NamedDocument>& shards);

}  // namespace frictionbench::results
