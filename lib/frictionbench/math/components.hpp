/// \file
/// Connected components of a graph.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "frictionbench/math/types.hpp"

namespace frictionbench {

/// The connected components of an undirected graph, by union-find.
class Components {
 public:
  /// Without edges. \param nodes their number.
  explicit Components(Index nodes) : nearer_(static_cast<std::size_t>(nodes)) {
    std::iota(nearer_.begin(), nearer_.end(), Index{0});
  }

  /// Adds an edge between two nodes.
  void join(Index a, Index b) {
    a = first_of(a);
    b = first_of(b);
    nearer_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
  }

  /// The component of every node, numbered from 0 in the order of their first nodes.
  std::vector<Index> numbers() {
    std::vector<Index> component(nearer_.size());
    Index count = 0;
    for (std::size_t i = 0; i < nearer_.size(); ++i) {
      const auto first = static_cast<std::size_t>(first_of(static_cast<Index>(i)));
      component[i] = first == i ? count++ : component[first];
    }
    return component;
  }

 private:
  Index first_of(Index i) {
    while (nearer_[static_cast<std::size_t>(i)] != i) {
      Index& next = nearer_[static_cast<std::size_t>(i)];
      next = nearer_[static_cast<std::size_t>(next)];
      i = next;
    }
    return i;
  }

  std::vector<Index> nearer_;  // each node knows one nearer to the first of its component
};

/// The nodes of each component, increasing. \param component of every node, as Components numbers them.
inline std::vector<std::vector<Index>> members(const std::vector<Index>& component) {
  std::vector<Index> sizes;
  for (const Index k : component) {
    if (static_cast<std::size_t>(k) == sizes.size()) sizes.push_back(0);
    ++sizes[static_cast<std::size_t>(k)];
  }
  std::vector<std::vector<Index>> found(sizes.size());
  for (std::size_t k = 0; k < sizes.size(); ++k)
    found[k].reserve(static_cast<std::size_t>(sizes[k]));
  for (std::size_t i = 0; i < component.size(); ++i)
    found[static_cast<std::size_t>(component[i])].push_back(static_cast<Index>(i));
  return found;
}

}  // namespace frictionbench
