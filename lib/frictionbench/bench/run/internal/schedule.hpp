/// \file
/// The order in which the pairs of a plan are started.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "frictionbench/bench/plan/plan.hpp"

namespace frictionbench::bench {

/// A pair of a plan: index of the problem in Plan::problems, and of the solver.
using PairIndex = std::pair<std::size_t, std::size_t>;

/// Hands out the pairs of a plan, problem by problem, so that each problem is read once. A pair that
/// starts from a previous answer waits until that pair is done; it does not hold up pairs that wait
/// for nothing.
class Schedule {
 public:
  /// \param seed to draw the order of the problems, and of the solvers of each, at random; by
  ///        default both are in the order of the plan.
  explicit Schedule(const Plan& plan, std::optional<std::uint64_t> seed = std::nullopt);

  /// The next pair that may start now, which then is under way; nothing if the remaining ones all
  /// wait for pairs under way, or if none remain.
  std::optional<PairIndex> take();

  /// Marks a pair as finished (with or without a record) and releases its successor.
  void done(PairIndex pair);

  std::optional<PairIndex> previous(PairIndex pair) const;  ///< whose answer it starts from
  bool has_next(PairIndex pair) const;                      ///< whether one starts from its answer
  bool has_left() const { return !left_.empty(); }  ///< whether a pair was not handed out yet
  bool has_left(std::size_t problem) const;         ///< whether a pair of it was not handed out yet

 private:
  // Of a pair: place of its problem, which comes after the one that it starts from, then of its
  // solver.
  using Place = std::pair<std::size_t, std::size_t>;

  void hand_out(PairIndex pair);

  std::map<PairIndex, Place> places_;
  std::map<Place, PairIndex> pairs_;
  std::vector<std::size_t> rank_;  // of problems
  std::map<PairIndex, PairIndex> previous_, next_;
  std::set<Place> left_;   // not handed out
  std::set<Place> ready_;  // those of them that wait for nothing
};

}  // namespace frictionbench::bench
