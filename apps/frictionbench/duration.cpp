#include "duration.hpp"

#include <fmt/format.h>

namespace frictionbench::app {

std::string duration_text(double seconds) {
  const auto total = static_cast<long>(seconds + 0.5);
  if (total < 60) return fmt::format("{} s", total);
  if (total < 3600) return fmt::format("{}:{:02} min", total / 60, total % 60);
  return fmt::format("{}:{:02} h", total / 3600, total / 60 % 60);
}

}  // namespace frictionbench::app
