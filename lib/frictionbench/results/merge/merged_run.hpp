/// \file
/// How a merged document was made. Internal.
#pragma once

#include "frictionbench/results/merge/merge.hpp"

namespace frictionbench::results {

/// \param shards of one run, by their numbers; at least one.
RunInfo merged_run(const std::vector<NamedDocument>& shards);

}  // namespace frictionbench::results
