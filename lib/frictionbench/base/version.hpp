/// \file
/// What program this is, and when it runs: stamps for what it writes.
#pragma once

#include <string>

namespace frictionbench {

std::string version();  ///< of frictionbench
std::string utc_now();  ///< ISO 8601, seconds, "2026-01-31T23:59:59Z"

}  // namespace frictionbench
