#include "duration.hpp"

#include <fmt/format.h>

namespace frictionbench::app {

std::string duration_text(double seconds) {
  const auto total = static_cast<long>(seconds + 0.5);
  if (total < 60) return fmt::format("{} s", total);
  if (total < 3600) return fmt::format("{}:{:02} min", total / 60, total % 60);
  return fmt::format("{}:{:02} h", total / 3600, total / 60 % 60);
}

std::string measured_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.1f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

}  // namespace frictionbench::app
