#include "number_list.hpp"

#include <fmt/format.h>

#include <set>
#include <stdexcept>
#include <string_view>

#include "frictionbench/base/text.hpp"

namespace frictionbench::app {

namespace {

constexpr Index largest = 100'000'000;  // a range is not to fill the memory

std::optional<Index> position_in(std::string_view text) {
  const auto value = number_in<Index>(text);
  return value && *value >= 0 && *value <= largest ? value : std::nullopt;
}

}  // namespace

std::vector<Index> parse_numbers(const std::string& option, const std::string& list) {
  std::set<Index> numbers;
  std::string_view left = list;
  for (bool more = true; more;) {
    const std::size_t comma = left.find(',');
    more = comma != std::string_view::npos;
    const std::string_view piece = left.substr(0, comma);
    if (more) left.remove_prefix(comma + 1);
    const std::size_t dash = piece.find('-');
    const auto first = position_in(piece.substr(0, dash));
    const auto last = position_in(dash == std::string_view::npos ? piece : piece.substr(dash + 1));
    if (!first || !last || *last < *first)
      throw std::invalid_argument(fmt::format(
          "{}: '{}' is not a number or a range; expected a list like 0,3,5-9", option, piece));
    for (Index k = *first; k <= *last; ++k) numbers.insert(k);
  }
  return {numbers.begin(), numbers.end()};
}

}  // namespace frictionbench::app
