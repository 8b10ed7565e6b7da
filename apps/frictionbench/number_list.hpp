/// \file
/// Lists of numbers as a user types them.
#pragma once

#include <string>
#include <vector>

#include "frictionbench/math/types.hpp"

namespace frictionbench::app {

/// "0,3,5-9" as increasing numbers without repetitions, at least one. \param option for the error line.
/// \throws std::invalid_argument naming the option and the piece that is wrong.
std::vector<Index> parse_numbers(const std::string& option, const std::string& list);

}  // namespace frictionbench::app
