/// \file
#pragma once

#include <string>

namespace frictionbench::app {

/// A stretch of time as people say it: "12 s", "3:05 min", "1:30 h".
std::string duration_text(double seconds);

}  // namespace frictionbench::app
