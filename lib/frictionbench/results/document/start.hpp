/// \file
/// Where a solve starts.
#pragma once

#include <string_view>

namespace frictionbench::results {

enum class Start {
  zero,      ///< no impulse at any contact
  guess,     ///< the first guess in the problem's file
  solution,  ///< the solution in the problem's file
  previous,  ///< what the same solver answered to an earlier problem of the sequence
};

std::string_view name(Start start);
/// \throws std::invalid_argument for a name that is no start.
Start start_from_name(std::string_view name);

}  // namespace frictionbench::results
