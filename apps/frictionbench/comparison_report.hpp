/// \file
/// Comparisons of results files, written for people and for other programs.
#pragma once

#include <string>
#include <vector>

#include "frictionbench/results/compare/comparison.hpp"

namespace frictionbench::app {

/// A results file and how it was made.
struct ComparedFile {
  std::string path;
  results::RunInfo run;
};

/// A candidate beside the baseline.
struct ComparedCandidate {
  ComparedFile file;
  results::Comparison comparison;
};

struct ComparisonReport {
  ComparedFile baseline;
  std::vector<ComparedCandidate> candidates;
};

/// For a terminal: a sentence, a table of solvers and one of what changed, worst first.
/// \param most_rows of the latter; how many more there are is said below it.
std::string comparison_text(const ComparisonReport& report, std::size_t most_rows);

/// The same in GitHub's Markdown, ready for a CI step summary.
std::string comparison_markdown(const ComparisonReport& report, std::size_t most_rows);

/// JUnit XML: a suite for each solver (and candidate), a test case for each problem. What got worse
/// failed; what could not be judged was skipped.
std::string comparison_junit(const ComparisonReport& report);

/// Described in results/README.md.
std::string comparison_json(const ComparisonReport& report);

}  // namespace frictionbench::app
