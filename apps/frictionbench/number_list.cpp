#include "number_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>
#include <string_view>

namespace frictionbench::app {

namespace {

constexpr Index largest = 100'000'000;  // a range is not to fill the memory

bool parse(std::string_view text, Index& value) {
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stopped == end && value >= 0 && value <= largest;
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
    Index first = 0, last = 0;
    if (!parse(piece.substr(0, dash), first) ||
        !parse(dash == std::string_view::npos ? piece : piece.substr(dash + 1), last) ||
        last < first)
      throw std::invalid_argument(fmt::format(
          "{}: '{}' is not a number or a range; expected a list like 0,3,5-9", option, piece));
    for (Index k = first; k <= last; ++k) numbers.insert(k);
  }
  return {numbers.begin(), numbers.end()};
}

}  // namespace frictionbench::app
