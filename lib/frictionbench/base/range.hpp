/// \file
/// Legal values of a number.
#pragma once

#include <limits>
#include <string>

namespace frictionbench {

/// The legal values of a number: an interval whose ends may belong to it or not.
struct Range {
  double low = -std::numeric_limits<double>::infinity();  ///< -infinity for no lower end
  double high = std::numeric_limits<double>::infinity();  ///< infinity for no upper end
  bool low_included = true;                               ///< whether `low` itself is legal
  bool high_included = true;                              ///< whether `high` itself is legal

  bool contains(double value) const;  ///< false for NaN and infinity
  std::string text() const;           ///< "in (0, 2)", ">= 1", ...; empty if any number is legal
};

constexpr Range any_number() { return {}; }  ///< without ends; still no NaN or infinity
/// >= low
constexpr Range at_least(double low) { return {.low = low}; }
/// > low
constexpr Range above(double low) { return {.low = low, .low_included = false}; }
constexpr Range positive() { return above(0); }  ///< > 0
/// in (low, high)
constexpr Range open_interval(double low, double high) { return {low, high, false, false}; }

}  // namespace frictionbench
