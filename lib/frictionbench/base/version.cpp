#include "frictionbench/base/version.hpp"

#include <fmt/chrono.h>

#include <chrono>

#include "frictionbench_build_info.hpp"

namespace frictionbench {

std::string version() { return FRICTIONBENCH_VERSION; }

std::string utc_now() {
  const auto now =
      std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
  return fmt::format("{:%FT%TZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(now)));
}

}  // namespace frictionbench
