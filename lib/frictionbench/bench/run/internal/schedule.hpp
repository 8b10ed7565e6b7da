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

/// A pair of a plan: index of the problem in Plan::problems, and of the solver.
using PairIndex = std::pair<std::size_t, std::size_t>;

/// Hands out the pairs of a plan, problem by problem. A pair that starts from a previous answer
/// waits until that pair is done; it does not hold up pairs that wait for nothing.
class Schedule {
 public:
  explicit Schedule(const Plan& plan);

  /// The next pair that may start now, which then is under way; nothing if the remaining ones all
  /// wait for pairs under way, or if none remain.
  std::optional<PairIndex> take();

  /// Marks a pair as finished (with or without a record) and releases its successor.
  void done(PairIndex pair);

  std::optional<PairIndex> previous(PairIndex pair) const;  ///< whose answer it starts from
  bool has_next(PairIndex pair) const;                      ///< whether one starts from its answer
  bool has_left(std::size_t problem) const;  ///< whether a pair of it was not handed out yet

 private:
  void hand_out(PairIndex pair);

  std::vector<std::size_t> rank_;  // of problems: a problem comes after the one that it starts from
  std::vector<std::size_t> by_rank_;  // problems
  std::map<PairIndex, PairIndex> previous_, next_;
  std::set<PairIndex> left_;   // rank of the problem, solver: not handed out
  std::set<PairIndex> ready_;  // those of them that wait for nothing
};

}  // namespace frictionbench::bench
