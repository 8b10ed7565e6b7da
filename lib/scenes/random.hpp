/// \file
#pragma once

#include <cstdint>
#include <random>

namespace frictionbench::scenes {

/// Random numbers that are the same with every compiler and library: std::mt19937_64 is specified
/// to the bit, the distributions of `<random>` are not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Uniform in [low, high).
  double uniform(double low, double high) {
    const double unit = static_cast<double>(engine_() >> 11) * 0x1p-53;
    return low + (high - low) * unit;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace frictionbench::scenes
