#include "frictionbench/problem/internal/first_fit.hpp"

#include <algorithm>

namespace frictionbench {

std::vector<std::vector<int>> first_fit(const std::vector<std::vector<int>>& bodies_of,
                                        std::size_t bodies) {
  std::vector<std::vector<int>> groups;
  std::vector<std::vector<bool>> taken(bodies);  // whether a group has an item on this body
  for (std::size_t i = 0; i < bodies_of.size(); ++i) {
    const auto is_taken = [&](std::size_t group) {
      return std::ranges::any_of(bodies_of[i], [&](int b) {
        const std::vector<bool>& of_body = taken[static_cast<std::size_t>(b)];
        return group < of_body.size() && of_body[group];
      });
    };
    std::size_t group = 0;
    while (is_taken(group)) ++group;
    for (const int b : bodies_of[i]) {
      std::vector<bool>& of_body = taken[static_cast<std::size_t>(b)];
      of_body.resize(std::max(of_body.size(), group + 1));
      of_body[group] = true;
    }
    groups.resize(std::max(groups.size(), group + 1));
    groups[group].push_back(static_cast<int>(i));
  }
  return groups;
}

}  // namespace frictionbench
