/// \file
#pragma once

#include <cmath>

namespace frictionbench {

/// The larger of two numbers; NaN if one of them is, where std::max would drop it.
inline double max_or_nan(double a, double b) { return std::isnan(a) || a > b ? a : b; }

}  // namespace frictionbench
