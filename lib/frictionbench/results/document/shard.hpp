/// \file
/// A part of a run that is spread over several machines.
#pragma once

#include <string>
#include <string_view>

namespace frictionbench::results {

/// The `number`-th of `count` parts of a plan, counted from 1.
struct Shard {
  int number = 1;
  int count = 1;

  bool operator==(const Shard&) const = default;
};

std::string text(const Shard& shard);  ///< "3/8"
/// \throws std::invalid_argument for a text that is not "i/n" with 1 <= i <= n.
Shard shard_from_text(std::string_view text);

}  // namespace frictionbench::results
