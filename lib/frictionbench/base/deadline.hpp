/// \file
/// Time limits as points in time.
#pragma once

#include <chrono>
#include <limits>

namespace frictionbench {

using Clock = std::chrono::steady_clock;  ///< of all time limits

/// The time point `seconds` from now; the end of time where the clock cannot count so far.
inline Clock::time_point deadline_after(double seconds) {
  constexpr double countable = 1e9;  // s, thirty years
  if (!(seconds < countable)) return Clock::time_point::max();
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

/// The seconds left, negative if it has passed; infinity at the end of time.
inline double seconds_until(Clock::time_point deadline) {
  if (deadline == Clock::time_point::max()) return std::numeric_limits<double>::infinity();
  return std::chrono::duration<double>(deadline - Clock::now()).count();
}

}  // namespace frictionbench
