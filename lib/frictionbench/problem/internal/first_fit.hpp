/// \file
/// Groups of what acts on different bodies, so that one solve with M serves all of a group.
#pragma once

#include <cstddef>
#include <vector>

namespace frictionbench {

/// Items in groups, those of each on different bodies and in increasing order: each joins the first
/// group that fits. An item without bodies fits into every group.
/// \param bodies_of each item, each body once. \param bodies their number.
std::vector<std::vector<int>> first_fit(const std::vector<std::vector<int>>& bodies_of,
                                        std::size_t bodies);

}  // namespace frictionbench
