#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "frictionbench/base/suggestions.hpp"
#include "frictionbench/base/text.hpp"
#include "frictionbench/sets/sets.hpp"

namespace frictionbench {

namespace {

using Numbers = std::span<const double>;

// A kind that takes `least` to `most` numbers.
SetKind kind(std::string_view name, std::string_view parameters, std::string_view summary,
             std::size_t least, std::size_t most, std::function<SetPointer(Numbers)> make) {
  auto counted = [=, make = std::move(make)](Numbers numbers) {
    if (numbers.size() < least || numbers.size() > most)
      throw std::invalid_argument(fmt::format("expected {}({}), got {} number{}", name, parameters,
                                              numbers.size(), numbers.size() == 1 ? "" : "s"));
    return make(numbers);
  };
  return {name, parameters, summary, std::move(counted)};
}

SetPointer make_equality(Numbers p) {
  for (Index rows = 1; rows <= most_block_rows; ++rows)
    if (p[0] == static_cast<double>(rows)) return equality(rows);
  throw std::invalid_argument(fmt::format("equality: p is {}; expected a whole number from 1 to {}",
                                          p[0], most_block_rows));
}

SetPointer make_torsional(Numbers p) {
  if (p.size() == 2) return torsional_cone(p[0], p[1]);
  if (p[2] < 0)  // which would mean no rolling to torsional_cone()
    throw std::invalid_argument(
        fmt::format("torsional: mu_r is {}; expected a finite number >= 0", p[2]));
  return torsional_cone(p[0], p[1], p[2]);
}

double number(std::string_view text) {
  if (const auto value = number_in<double>(text)) return *value;
  throw std::invalid_argument(fmt::format("'{}' is not a number", one_line(text)));
}

// As parse_set, with errors that do not name the whole text.
SetPointer parsed(std::string_view text) {
  const auto open = text.find('(');
  if (open == std::string_view::npos || !text.ends_with(')'))
    throw std::invalid_argument(
        "expected a kind and its numbers in parentheses, e.g. friction(0.5)");

  const std::string_view name = trimmed(text.substr(0, open));
  std::vector<std::string> known;
  const SetKind* found = nullptr;
  for (const SetKind& kind : set_kinds()) {
    known.emplace_back(kind.name);
    if (kind.name == name) found = &kind;
  }
  if (!found) throw std::invalid_argument(unknown_name("kind", one_line(name), known));

  std::vector<double> numbers;
  std::string_view rest = text.substr(open + 1, text.size() - open - 2);
  for (auto comma = rest.find(','); comma != std::string_view::npos; comma = rest.find(',')) {
    numbers.push_back(number(trimmed(rest.substr(0, comma))));
    rest.remove_prefix(comma + 1);
  }
  numbers.push_back(number(trimmed(rest)));
  return found->make(numbers);
}

}  // namespace

const std::vector<SetKind>& set_kinds() {
  static const std::vector<SetKind> kinds{
      kind("cohesive", "mu, cohesion", "friction cone with its apex at r_N = -cohesion", 2, 2,
           [](Numbers p) { return cohesive_cone(p[0], p[1]); }),
      kind("cohesive2d", "mu, cohesion", "the same with one tangential row", 2, 2,
           [](Numbers p) { return cohesive_cone(p[0], p[1], 2); }),
      kind("elliptic", "mu1, ...", "one limit for friction, torsion and rolling; up to 5 numbers",
           1, 5,
           [](Numbers p) {
             return elliptic_cone({p.begin(), p.end()});
           }),
      kind("equality", "p", "p rows of joints or loops: any impulse", 1, 1, make_equality),
      kind("friction", "mu", "Coulomb's friction cone", 1, 1,
           [](Numbers p) { return friction_cone(p[0]); }),
      kind("friction2d", "mu", "the same with one tangential row", 1, 1,
           [](Numbers p) { return friction_cone(p[0], 2); }),
      kind("interval", "low, high", "joint limit, motor or dry friction; ends may be -inf and inf",
           2, 2, [](Numbers p) { return interval(p[0], p[1]); }),
      kind("rolling", "mu, mu_r", "friction and rolling friction, each with its limit", 2, 2,
           [](Numbers p) { return rolling_cone(p[0], p[1]); }),
      kind("torsional", "mu, mu_s[, mu_r]", "friction, torsion and rolling, each with its limit", 2,
           3, make_torsional)};
  return kinds;
}

SetPointer parse_set(std::string_view text) try {
  return parsed(trimmed(text));
} catch (const std::invalid_argument& error) {
  throw std::invalid_argument(fmt::format("set '{}': {}", one_line(text), error.what()));
}

}  // namespace frictionbench
