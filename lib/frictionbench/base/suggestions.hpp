/// \file
/// Suggestions for unknown names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace frictionbench {

/// Up to three of `known` that are close to `wrong`, nearest first; empty if none is.
std::vector<std::string> nearest_names(std::string_view wrong,
                                       const std::vector<std::string>& known);

/// "unknown KIND 'WRONG'; did you mean A, B?", or all known names if none is near.
std::string unknown_name(std::string_view kind, std::string_view wrong,
                         const std::vector<std::string>& known);

}  // namespace frictionbench
