#include "frictionbench/bench/run/internal/schedule.hpp"

#include "frictionbench/math/portable_numbers.hpp"

namespace frictionbench::bench {

namespace {

void shuffle_at_random(std::vector<std::size_t>& values, Random& random) {
  shuffle(values, [&](std::size_t left) {
    return static_cast<std::size_t>(random.uniform(0, static_cast<double>(left)));
  });
}

// Problems in the order of the plan, or one drawn at random, but each chain of problems that start
// one from another's answer together, from its first on.
std::vector<std::size_t> chain_by_chain(const std::vector<std::optional<std::size_t>>& previous,
                                        std::optional<Random>& random) {
  std::vector<std::optional<std::size_t>> next(previous.size());
  std::vector<std::size_t> heads;
  for (std::size_t p = 0; p < previous.size(); ++p)
    if (previous[p])
      next[*previous[p]] = p;
    else
      heads.push_back(p);
  if (random) shuffle_at_random(heads, *random);
  std::vector<std::size_t> order;
  for (const std::size_t head : heads)
    for (std::optional<std::size_t> p = head; p; p = next[*p]) order.push_back(*p);
  return order;
}

}  // namespace

Schedule::Schedule(const Plan& plan, std::optional<std::uint64_t> seed)
    : rank_(plan.problems.size()) {
  std::optional<Random> random;
  if (seed) random.emplace(*seed);
  const auto previous = plan.previous_problems();
  const std::vector<std::size_t> order = chain_by_chain(previous, random);
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const std::size_t p = order[rank];
    rank_[p] = rank;
    std::vector<std::size_t> solvers;
    for (const auto& [solver, time] : plan.problems[p].solvers) solvers.push_back(solver);
    if (random) shuffle_at_random(solvers, *random);
    for (std::size_t k = 0; k < solvers.size(); ++k) {
      const PairIndex pair{p, solvers[k]};
      const Place place{rank, k};
      places_[pair] = place;
      pairs_[place] = pair;
      left_.insert(place);
      if (previous[p] && plan.problems[*previous[p]].solvers.contains(pair.second)) {
        previous_[pair] = {*previous[p], pair.second};
        next_[{*previous[p], pair.second}] = pair;
      } else {
        ready_.insert(place);
      }
    }
  }
}

std::optional<PairIndex> Schedule::take() {
  if (ready_.empty()) return std::nullopt;
  const PairIndex pair = pairs_.at(*ready_.begin());
  hand_out(pair);
  return pair;
}

void Schedule::done(PairIndex pair) {
  hand_out(pair);
  const auto next = next_.find(pair);
  if (next == next_.end()) return;
  const Place place = places_.at(next->second);
  if (left_.contains(place)) ready_.insert(place);
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
  const Place place = places_.at(pair);
  left_.erase(place);
  ready_.erase(place);
}

}  // namespace frictionbench::bench
