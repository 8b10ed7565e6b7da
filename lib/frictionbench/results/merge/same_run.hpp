/// \file
/// Whether documents are shards of one run. Internal.
#pragma once

#include "frictionbench/results/merge/merge.hpp"

namespace frictionbench::results {

/// \throws MergeError unless it is a shard.
void require_shard(const NamedDocument& document);

/// \throws MergeError naming the first thing in which the runs of two shards differ, which must
///         differ in nothing but their number, machine and times.
void require_same_run(const NamedDocument& a, const NamedDocument& b);

}  // namespace frictionbench::results
