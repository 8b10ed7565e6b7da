#include "frictionbench/results/document/statistics.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <map>

#include "frictionbench/math/portable_numbers.hpp"

namespace frictionbench::results {

namespace {

Eigen::Map<const Eigen::ArrayXd> array(const std::vector<double>& values) {
  eigen_assert(!values.empty());
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

// Of one resample: positions, in the sorted sample, of the two values in its middle.
struct Middle {
  std::size_t lower, upper;
};

// Draws `size` positions with replacement. Counting how often each was drawn saves sorting them.
Middle draw_middle(std::size_t size, Random& random) {
  std::vector<int> counts(size, 0);
  for (std::size_t k = 0; k < size; ++k)
    ++counts[static_cast<std::size_t>(random.uniform(0, static_cast<double>(size)))];
  const auto ranked = [&](std::size_t rank) {
    std::size_t position = 0;
    for (std::size_t below = 0;; ++position) {
      below += static_cast<std::size_t>(counts[position]);
      if (below > rank) return position;
    }
  };
  return {ranked((size - 1) / 2), ranked(size / 2)};
}

// Which values are drawn depends on the size of the sample and the seed alone: drawn once, for
// thousands of pairs.
const std::vector<Middle>& middles_of_resamples(std::size_t size, std::uint64_t seed) {
  thread_local std::map<std::pair<std::size_t, std::uint64_t>, std::vector<Middle>> drawn;
  std::vector<Middle>& middles = drawn[{size, seed}];
  if (middles.empty()) {
    Random random(seed);
    for (std::size_t k = 0; k < resamples; ++k) middles.push_back(draw_middle(size, random));
  }
  return middles;
}

// The value that this share of all lies below. Reorders them.
double quantile(std::vector<double>& values, double share) {
  const auto rank = std::lround(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[static_cast<std::size_t>(rank)];
}

}  // namespace

double median(std::vector<double> values) {
  eigen_assert(!values.empty());
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

double mean(const std::vector<double>& values) { return array(values).mean(); }

double standard_deviation(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  const double squares = (array(values) - mean(values)).square().sum();
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double shifted_geometric_mean(const std::vector<double>& values, double shift) {
  return std::exp((array(values) + shift).log().mean()) - shift;
}

SampleSummary summarize(const std::vector<double>& samples) {
  SampleSummary summary;
  summary.min = array(samples).minCoeff();
  summary.median = median(samples);
  summary.mean = mean(samples);
  std::vector<double> deviations;
  for (const double sample : samples) deviations.push_back(std::abs(sample - summary.median));
  summary.mad = median(deviations);
  summary.samples = static_cast<int>(samples.size());
  const std::size_t kept = std::min(samples.size(), kept_samples);
  for (std::size_t k = 0; k < kept; ++k)
    summary.values.push_back(samples[k * samples.size() / kept]);
  return summary;
}

Interval ratio_of_medians(std::vector<double> numerator, std::vector<double> denominator,
                          double confidence) {
  eigen_assert(!numerator.empty() && !denominator.empty());
  std::sort(numerator.begin(), numerator.end());
  std::sort(denominator.begin(), denominator.end());
  const auto& above = middles_of_resamples(numerator.size(), 1);
  const auto& below = middles_of_resamples(denominator.size(), 2);
  std::vector<double> ratios(resamples);
  for (std::size_t k = 0; k < resamples; ++k)
    ratios[k] = (numerator[above[k].lower] + numerator[above[k].upper]) /
                (denominator[below[k].lower] + denominator[below[k].upper]);
  return {quantile(ratios, (1 - confidence) / 2), quantile(ratios, (1 + confidence) / 2)};
}

}  // namespace frictionbench::results
