/// \file
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frictionbench/bench/measure/measure.hpp"

namespace frictionbench::bench {

/// How the pairs of a plan are run.
struct RunOptions {
  MeasureOptions measure;
  std::optional<std::int64_t> memory_limit;          ///< bytes of address space for each pair
  results::Start warm_start = results::Start::zero;  ///< zero, guess or solution of the file
  bool history = false;    ///< solve once more, untimed, and keep the residuals of the iterations
  bool condition = false;  ///< compute every problem's condition number, untimed
  int jobs = 1;            ///< pairs at once, each on a processor of its own
  std::string journal;     ///< file to keep finished pieces in; empty for none
  bool resume = false;     ///< go on with that journal
  std::vector<std::string> command;  ///< for the document
};

}  // namespace frictionbench::bench
