/// \file
/// The order in which the pairs of a plan are started.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "frictionbench/bench/plan/plan.hpp"

namespace frictionbench::bench {

/// A pair of a plan: position of the problem in Plan::problems, and of the solver.
using Place = std::pair<std::size_t, std::size_t>;

/// Hands out the pairs of a plan, problem by problem. A pair that starts from a previous answer
/// waits until the pair before it is done; pairs that wait for nothing are not held up by it.
class Schedule {
 public:
  explicit Schedule(const Plan& plan);

  /// The next pair that may start now, which then is under way; nothing if all that are left wait
  /// for pairs under way, or none are left.
  std::optional<Place> take();

  /// A pair has its record, or will have none: the one that starts from its answer may start.
  void done(Place pair);

  std::optional<Place> previous(Place pair) const;  ///< the pair that it starts from the answer of
  bool has_next(Place pair) const;                  ///< whether one starts from its answer
  bool has_left(std::size_t problem) const;         ///< whether a pair of it was not handed out yet

 private:
  void hand_out(Place pair);

  std::vector<std::size_t> rank_;     // of problems: a problem follows the one that it starts from
  std::vector<std::size_t> by_rank_;  // problems
  std::map<Place, Place> previous_, next_;
  std::set<Place> left_;   // rank of the problem, solver: not handed out
  std::set<Place> ready_;  // those of them that wait for nothing
};

}  // namespace frictionbench::bench
