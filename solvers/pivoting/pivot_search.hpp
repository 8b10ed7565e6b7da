/// \file
/// A search for a sequence of pivots that solves a linear complementarity problem.
#pragma once

#include <vector>

#include "frictionbench/solvers/pivoting/pivot_run.hpp"

namespace frictionbench::solvers {

/// Which node of a search is next.
enum class SearchOrder {
  total,  ///< the least sum of exp(-q_min) from the root; of equals, the newest
  depth,  ///< of the descendants that were found last, that with the least exp(-q_min)
};

/// Which pivots a search tries, and in which order.
struct SearchRule {
  double most_negative = 1e-3;  ///< epsilon: q' may go down to minus this
  double most_error = 1e-3;     ///< e_max, of ||w - M z - z_0 d - q||
  double smallest_pivot = 0;    ///< as that of LemkeRule
  SearchOrder order = SearchOrder::total;
};

/// Solves by [YamaneNakamura08] Algs. 1 and 2. Without an answer, it ends on a ray if there was one
/// on any of the ways, else exhausted.
/// \param start the z_j that are basic at first.
LcpAnswer pivot_search(const Lcp& lcp, const std::vector<Index>& start, const SearchRule& rule,
                       const PivotRun& run);

}  // namespace frictionbench::solvers
