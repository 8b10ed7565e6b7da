/// \file
#pragma once

#include <cmath>

namespace frictionbench::scenes {

/// Rounds to 24 significant bits. Enough for a mass or an angle, and hides that the last digit of
/// std::pow and std::cos differs between maths libraries. Not a cast to float and back: GCC 12
/// drops that where it vectorises.
inline double rounded_to_24_bits(double value) {
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(mantissa, 24)), exponent - 24);
}

}  // namespace frictionbench::scenes
