/// \file
#pragma once

#include <string>

namespace frictionbench::app {

/// A stretch of time as people say it: "12 s", "3:05 min", "1:30 h".
std::string duration_text(double seconds);

/// A measured time in the unit that suits it: "12.3 us", "4.56 ms", "7.89 s".
std::string measured_text(double seconds);

}  // namespace frictionbench::app
