/// \file
/// What counts as worse when two results documents are compared.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "frictionbench/results/document/document.hpp"

namespace frictionbench::results {

/// A machine-independent measure of work.
struct CounterRule {
  std::string
      name;  ///< as in results files: "iterations", "products", ...; factorizations: each kind
  std::optional<double> allowance = 0;  ///< change in % that is ignored; absent: not judged
};

/// The iterations and every counter of work, all of them exact.
std::vector<CounterRule> exact_counters();

/// A residual is judged by the factor that it grows or shrinks by.
struct ResidualRule {
  double factor = 10;   ///< growth up to this factor is ignored
  double floor = 1e-3;  ///< of the tolerance; smaller residuals count as this: they are round-off
};

/// Time is judged by the ratios of the rounds of both runs: worse if they are significantly above
/// `threshold`, better if they are significantly below 1 / `threshold`.
struct TimeRule {
  double threshold = 1.2;  ///< candidate / baseline, at least 1
  /// The share of the pairs that are called slower, or faster, that may be expected to be called so
  /// by chance, in (0, 1).
  double false_discoveries = 0.05;
  double floor = 1e-4;  ///< s; shorter times count as this: they depend on what ran just before
};

/// The defaults are those of results/comparison-rules.json. A problem that is no longer solved, or
/// a solver that crashes, fails or ends `wrong`, is worse under all rules.
struct ComparisonRules {
  bool lost_is_worse = true;  ///< a pair of the baseline that the candidate does not have
  std::vector<CounterRule> counters = exact_counters();   ///< others are not judged
  std::optional<ResidualRule> residual = ResidualRule{};  ///< absent: not judged
  std::optional<TimeRule> time = {};                      ///< absent: not judged
};

nlohmann::json to_json(const ComparisonRules& rules);  ///< all of them, defaults included

/// What `json` does not name keeps its default.
/// \throws ResultsError naming the key that is unknown or has an illegal value.
ComparisonRules comparison_rules_from_json(const nlohmann::json& json);

/// \throws ResultsError naming the file and the key.
ComparisonRules read_comparison_rules(const std::string& path);

}  // namespace frictionbench::results
