#include "frictionbench/results/merge/internal/difference.hpp"

#include <fmt/format.h>

namespace frictionbench::results {

using nlohmann::json;

std::string MemberDifference::text() const {
  return fmt::format("{} is {} in the first and {} in the second", place, a.dump(), b.dump());
}

std::optional<MemberDifference> difference(const std::string& place, const json& a, const json& b) {
  if (a == b) return std::nullopt;
  if (!a.is_object() || !b.is_object()) return MemberDifference{place, a, b};
  json names = a;
  names.update(b);
  for (const auto& [name, unused] : names.items())
    if (auto found = difference(place.empty() ? name : fmt::format("{}.{}", place, name),
                                a.value(name, json()), b.value(name, json())))
      return found;
  return MemberDifference{place, a, b};  // a member that is null in one and absent in the other
}

}  // namespace frictionbench::results
