#include "frictionbench/bench/run/internal/schedule.hpp"

namespace frictionbench::bench {

namespace {

// Problems in the order of the plan, but each chain of problems that start one from another's
// answer together, from its first on.
std::vector<std::size_t> chain_by_chain(const std::vector<std::optional<std::size_t>>& previous) {
  std::vector<std::optional<std::size_t>> next(previous.size());
  for (std::size_t p = 0; p < previous.size(); ++p)
    if (previous[p]) next[*previous[p]] = p;
  std::vector<std::size_t> order;
  for (std::size_t head = 0; head < previous.size(); ++head)
    if (!previous[head])
      for (std::optional<std::size_t> p = head; p; p = next[*p]) order.push_back(*p);
  return order;
}

}  // namespace

Schedule::Schedule(const Plan& plan) : rank_(plan.problems.size()) {
  const auto previous = plan.previous_problems();
  by_rank_ = chain_by_chain(previous);
  for (std::size_t rank = 0; rank < by_rank_.size(); ++rank) rank_[by_rank_[rank]] = rank;

  for (std::size_t p = 0; p < plan.problems.size(); ++p)
    for (const auto& [solver, time] : plan.problems[p].solvers) {
      left_.insert({rank_[p], solver});
      if (previous[p] && plan.problems[*previous[p]].solvers.contains(solver)) {
        previous_[{p, solver}] = {*previous[p], solver};
        next_[{*previous[p], solver}] = {p, solver};
      } else {
        ready_.insert({rank_[p], solver});
      }
    }
}

std::optional<PairIndex> Schedule::take() {
  if (ready_.empty()) return std::nullopt;
  const auto [rank, solver] = *ready_.begin();
  const PairIndex pair{by_rank_[rank], solver};
  hand_out(pair);
  return pair;
}

void Schedule::done(PairIndex pair) {
  hand_out(pair);
  const auto next = next_.find(pair);
  if (next == next_.end()) return;
  const PairIndex ranked{rank_[next->second.first], next->second.second};
  if (left_.contains(ranked)) ready_.insert(ranked);
}

std::optional<PairIndex> Schedule::previous(PairIndex pair) const {
  const auto found = previous_.find(pair);
  if (found == previous_.end()) return std::nullopt;
  return found->second;
}

bool Schedule::has_next(PairIndex pair) const { return next_.contains(pair); }

bool Schedule::has_left(std::size_t problem) const {
  const auto first = left_.lower_bound({rank_[problem], 0});
  return first != left_.end() && first->first == rank_[problem];
}

void Schedule::hand_out(PairIndex pair) {
  const PairIndex ranked{rank_[pair.first], pair.second};
  left_.erase(ranked);
  ready_.erase(ranked);
}

}  // namespace frictionbench::bench
