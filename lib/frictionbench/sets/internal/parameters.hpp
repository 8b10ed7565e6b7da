/// \file
/// What the factories of sets have in common.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string_view>

#include "frictionbench/base/range.hpp"

namespace frictionbench {

/// The value of a set's parameter, if it is legal. \throws std::invalid_argument, naming all three.
inline double checked(std::string_view set, std::string_view parameter, double value,
                      const Range& legal) {
  if (legal.contains(value)) return value;
  throw std::invalid_argument(fmt::format("{}: {} is {}; expected a finite number {}", set,
                                          parameter, value, legal.text()));
}

}  // namespace frictionbench
