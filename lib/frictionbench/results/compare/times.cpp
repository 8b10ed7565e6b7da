// Which pairs take more or less time, by the rounds of both runs.

#include <algorithm>
#include <cmath>

#include "frictionbench/results/compare/internal/signed_rank.hpp"
#include "frictionbench/results/compare/internal/steps.hpp"

namespace frictionbench::results {

namespace {

constexpr double shown_confidence = 0.95;  // of the interval that reports show

// Logarithms of the ratios, round by round.
std::vector<double> log_ratios(const PairedRounds& rounds, double floor) {
  std::vector<double> ratios;
  for (std::size_t k = 0; k < rounds.baseline.size(); ++k)
    ratios.push_back(
        std::log(std::max(rounds.candidate[k], floor) / std::max(rounds.baseline[k], floor)));
  return ratios;
}

// Tests whether the values, with this sign, lie above `limit`.
double p_value_above(std::vector<double> values, double sign, double limit) {
  for (double& value : values) value = sign * value - limit;
  return signed_rank_p_value(std::move(values));
}

}  // namespace

bool is_below(const PairedRounds& rounds, double floor) {
  const auto below = [&](const std::vector<double>& times) {
    return std::all_of(times.begin(), times.end(), [&](double time) { return time <= floor; });
  };
  return below(rounds.baseline) && below(rounds.candidate);
}

std::vector<std::optional<Difference>> time_differences(const std::vector<PairedRounds>& pairs,
                                                        const TimeRule& rule) {
  std::vector<std::vector<double>> ratios;
  for (const PairedRounds& pair : pairs) ratios.push_back(log_ratios(pair, rule.floor));

  std::vector<std::optional<Difference>> differences(pairs.size());
  for (const Change change : {Change::worse, Change::better}) {
    std::vector<double> p_values;
    for (const auto& values : ratios)
      p_values.push_back(
          p_value_above(values, change == Change::worse ? 1 : -1, std::log(rule.threshold)));
    const std::vector<bool> found = discoveries(p_values, rule.false_discoveries);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      if (!found[k]) continue;
      const Interval interval = signed_rank_interval(ratios[k], shown_confidence);
      differences[k] = {"time",
                        change,
                        median(pairs[k].baseline),
                        median(pairs[k].candidate),
                        std::exp(median(ratios[k])),
                        Interval{std::exp(interval.low), std::exp(interval.high)},
                        p_values[k]};
    }
  }
  return differences;
}

double median_time_ratio(const std::vector<PairedRounds>& pairs, double floor) {
  std::vector<double> ratios;
  for (const PairedRounds& pair : pairs) ratios.push_back(median(log_ratios(pair, floor)));
  return std::exp(median(std::move(ratios)));
}

std::size_t fewest_discoveries(std::size_t pairs, int rounds, double rate) {
  const double smallest_p_value = std::exp2(-rounds);  // all rounds on one side
  return static_cast<std::size_t>(std::ceil(smallest_p_value * static_cast<double>(pairs) / rate));
}

}  // namespace frictionbench::results
