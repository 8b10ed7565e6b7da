#include "frictionbench/results/document/statistics.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace frictionbench::results {

namespace {

Eigen::Map<const Eigen::ArrayXd> array(const std::vector<double>& values) {
  eigen_assert(!values.empty());
  return {values.data(), static_cast<Eigen::Index>(values.size())};
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

}  // namespace frictionbench::results
