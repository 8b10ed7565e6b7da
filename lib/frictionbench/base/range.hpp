/// \file
/// The legal values of a number, in words for people.
#pragma once

#include <limits>
#include <string>

namespace frictionbench {

/// An interval. Infinity and NaN are never in it.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_included = true;
  bool high_included = true;

  bool contains(double value) const;
  std::string text() const;  ///< "in (0, 2)", ">= 1", ...; empty for any finite number
};

inline Range any_number() { return {}; }
inline Range at_least(double low) { return {.low = low}; }
inline Range above(double low) { return {.low = low, .low_included = false}; }
inline Range positive() { return above(0); }
inline Range open_interval(double low, double high) { return {low, high, false, false}; }

}  // namespace frictionbench
