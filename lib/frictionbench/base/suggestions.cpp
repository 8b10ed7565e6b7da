#include "frictionbench/base/suggestions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace frictionbench {

namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Levenshtein's distance: insertions, deletions and replacements of characters, cases being one.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replace});
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view wrong,
                                       const std::vector<std::string>& known) {
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(wrong, candidate);
    const bool contained = wrong.size() >= 3 && candidate.find(wrong) != std::string::npos;
    if (contained || distance <= std::max<std::size_t>(2, wrong.size() / 3))
      ranked.emplace_back(contained ? 0 : distance, candidate);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (const auto& [distance, candidate] : ranked)
    if (names.size() < 3) names.push_back(candidate);
  return names;
}

std::string unknown_name(std::string_view kind, std::string_view wrong,
                         const std::vector<std::string>& known) {
  const auto nearest = nearest_names(wrong, known);
  if (nearest.empty())
    return fmt::format("unknown {} '{}'; known: {}", kind, wrong, fmt::join(known, ", "));
  return fmt::format("unknown {} '{}'; did you mean {}?", kind, wrong, fmt::join(nearest, ", "));
}

}  // namespace frictionbench
