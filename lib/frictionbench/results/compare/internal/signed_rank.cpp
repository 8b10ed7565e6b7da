#include "frictionbench/results/compare/internal/signed_rank.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace frictionbench::results {

namespace {

// Probability of every sum of ranks, each of which is part of it or not with equal probability.
// Ranks are whole numbers.
std::vector<double> sum_probabilities(const std::vector<std::size_t>& ranks) {
  std::vector<double> probability{1};
  for (const std::size_t rank : ranks) {
    const std::size_t before = probability.size();
    probability.resize(before + rank, 0.0);
    for (std::size_t sum = probability.size(); sum-- > 0;) {
      const double with = sum >= rank ? probability[sum - rank] : 0;
      probability[sum] = (probability[sum] + with) / 2;
    }
  }
  return probability;
}

}  // namespace

double signed_rank_p_value(std::vector<double> values) {
  std::erase(values, 0.0);
  std::sort(values.begin(), values.end(),
            [](double a, double b) { return std::abs(a) < std::abs(b); });
  std::vector<std::size_t> ranks;  // doubled, so that the mean of two is whole
  std::size_t positive = 0;
  for (std::size_t first = 0; first < values.size();) {
    std::size_t end = first;
    while (end < values.size() && std::abs(values[end]) == std::abs(values[first])) ++end;
    for (std::size_t k = first; k < end; ++k) {
      ranks.push_back(first + end + 1);
      if (values[k] > 0) positive += ranks.back();
    }
    first = end;
  }
  const std::vector<double> probability = sum_probabilities(ranks);
  const auto tail = probability.begin() + static_cast<std::ptrdiff_t>(positive);
  return std::accumulate(tail, probability.end(), 0.0);
}

Interval signed_rank_interval(const std::vector<double>& values, double confidence) {
  std::vector<double> means;  // of all pairs of values, each with itself, too
  for (std::size_t a = 0; a < values.size(); ++a)
    for (std::size_t b = 0; b <= a; ++b) means.push_back((values[a] + values[b]) / 2);
  std::sort(means.begin(), means.end());

  std::vector<std::size_t> ranks(values.size());
  std::iota(ranks.begin(), ranks.end(), std::size_t{1});
  const std::vector<double> probability = sum_probabilities(ranks);
  // The largest sum of ranks that is so improbable, together with all smaller ones: so many means are left
  // out at each end.
  std::size_t outside = 0;
  for (double tail = probability[0] + probability[1]; tail <= (1 - confidence) / 2;
       tail += probability[outside + 1])
    ++outside;
  return {means[outside], means[means.size() - 1 - outside]};
}

std::vector<bool> discoveries(const std::vector<double>& p_values, double rate) {
  std::vector<double> sorted = p_values;
  std::sort(sorted.begin(), sorted.end());
  double limit = -1;
  for (std::size_t k = 0; k < sorted.size(); ++k)
    if (sorted[k] <= rate * static_cast<double>(k + 1) / static_cast<double>(sorted.size()))
      limit = sorted[k];
  std::vector<bool> found;
  for (const double p : p_values) found.push_back(p <= limit);
  return found;
}

}  // namespace frictionbench::results
