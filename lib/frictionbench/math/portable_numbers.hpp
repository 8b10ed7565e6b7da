/// \file
/// Numbers that are the same with every compiler and library.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace frictionbench {

/// Portable random numbers: std::mt19937_64 is specified to the bit, the standard library's
/// distributions are not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}  ///< equal seeds, equal numbers

  /// Uniform in [low, high).
  double uniform(double low, double high) {
    const double unit = static_cast<double>(engine_() >> 11) * 0x1p-53;
    return low + (high - low) * unit;
  }

 private:
  std::mt19937_64 engine_;
};

/// Shuffles as Fisher and Yates; std::shuffle differs between libraries.
/// \param pick `pick(n)` draws a position below n.
template <typename T, typename Pick>
void shuffle(std::vector<T>& values, Pick&& pick) {
  for (std::size_t left = values.size(); left > 1; --left)
    std::swap(values[left - 1], values[pick(left)]);
}

/// Rounds to 24 significant bits: precise enough for a mass or an angle, and coarse enough to hide
/// that the last digit of std::pow and std::cos differs between maths libraries. Not a cast to
/// float and back, because GCC 12 drops that where it vectorises.
inline double rounded_to_24_bits(double value) {
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(mantissa, 24)), exponent - 24);
}

/// Cosine and sine of an angle (rad) of at most a right angle, by their power series: the same digits
/// with every maths library, and to full precision, for bodies that must fit together without gaps.
inline std::pair<double, double> cosine_and_sine(double angle) {
  const double square = angle * angle;
  double cosine = 1, sine = 1;
  // Nested from the smallest term; the first one left out is below 1e-20.
  for (int k = 12; k >= 1; --k) {
    cosine = 1 - square / ((2 * k - 1) * (2 * k)) * cosine;
    sine = 1 - square / ((2 * k) * (2 * k + 1)) * sine;
  }
  return {cosine, angle * sine};
}

}  // namespace frictionbench
