#include "frictionbench/base/range.hpp"

#include <fmt/format.h>

#include <cmath>

namespace frictionbench {

bool Range::contains(double value) const {
  return std::isfinite(value) && (low_included ? value >= low : value > low) &&
         (high_included ? value <= high : value < high);
}

std::string Range::text() const {
  const bool bounded_below = std::isfinite(low);
  const bool bounded_above = std::isfinite(high);
  if (bounded_below && bounded_above)
    return fmt::format("in {}{}, {}{}", low_included ? '[' : '(', low, high,
                       high_included ? ']' : ')');
  if (bounded_below) return fmt::format("{} {}", low_included ? ">=" : ">", low);
  if (bounded_above) return fmt::format("{} {}", high_included ? "<=" : "<", high);
  return {};
}

}  // namespace frictionbench
