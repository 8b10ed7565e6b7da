#include "frictionbench/results/document/run_settings.hpp"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

namespace frictionbench::results {

std::string text(const Shard& shard) { return fmt::format("{}/{}", shard.number, shard.count); }

Shard shard_from_text(std::string_view text) {
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto number = std::from_chars(text.data(), end, shard.number);
  if (number.ec == std::errc() && number.ptr != end && *number.ptr == '/') {
    const auto count = std::from_chars(number.ptr + 1, end, shard.count);
    if (count.ec == std::errc() && count.ptr == end && 1 <= shard.number &&
        shard.number <= shard.count)
      return shard;
  }
  throw std::invalid_argument(
      fmt::format("'{}' is not a valid shard; expected i/n with 1 <= i <= n, e.g. 3/8", text));
}

}  // namespace frictionbench::results
