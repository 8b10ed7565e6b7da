/// \file
/// The statistics that summarise results.
#pragma once

#include <vector>

namespace frictionbench::results {

/// All samples of one measurement, summarised. Unit of the samples.
struct SampleSummary {
  double min = 0;                   ///< smallest sample
  double median = 0;                ///< of all samples
  double mean = 0;                  ///< of all samples
  double mad = 0;                   ///< median absolute deviation from the median
  int samples = 0;                  ///< how many were taken
  std::vector<double> values = {};  ///< at most `kept_samples` of them, evenly picked, in order
};

inline constexpr std::size_t kept_samples = 32;  ///< limit on SampleSummary::values

/// \param samples at least one.
SampleSummary summarize(const std::vector<double>& samples);

double median(std::vector<double> values);       ///< of at least one value
double mean(const std::vector<double>& values);  ///< of at least one value
/// Standard deviation with n - 1 in the denominator; 0 for one value.
double standard_deviation(const std::vector<double>& values);

/// exp(mean(log(x + shift))) - shift: the shifted geometric mean of solver comparisons, which
/// neither the largest nor the smallest values dominate. \param values at least one, each > -shift.
double shifted_geometric_mean(const std::vector<double>& values, double shift);

/// A range that an unknown quantity lies in with some confidence.
struct Interval {
  double low = 0;   ///< lower end, part of the range
  double high = 0;  ///< upper end, part of the range

  bool contains(double value) const { return low <= value && value <= high; }  ///< ends included
};

}  // namespace frictionbench::results
