/// \file
#pragma once

#include <chrono>

namespace frictionbench::bench {

using Clock = std::chrono::steady_clock;

/// The time point `seconds` from now; the end of time where the clock cannot count so far.
inline Clock::time_point deadline_after(double seconds) {
  constexpr double countable = 1e9;  // s, thirty years
  if (!(seconds < countable)) return Clock::time_point::max();
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace frictionbench::bench
