/// \file
/// Where a solve starts.
#pragma once

#include "frictionbench/base/enum_names.hpp"

namespace frictionbench::results {

enum class Start {
  zero,      ///< no impulse at any contact
  guess,     ///< the first guess in the problem's file
  solution,  ///< the solution in the problem's file
  previous,  ///< what the same solver answered to an earlier problem of the sequence
};
constexpr auto describe(Start) {
  using enum Start;
  return enum_names<Start>(
      "start", {{zero, "zero", "no impulse at any contact"},
                {guess, "guess", "the first guess in the problem's file"},
                {solution, "solution", "the solution in the problem's file"},
                {previous, "previous", "the same solver's answer to an earlier problem"}});
}

}  // namespace frictionbench::results
