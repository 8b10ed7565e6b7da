#include "frictionbench/bench/run/internal/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frictionbench/base/number_of.hpp"

namespace frictionbench::bench {

namespace {

// Warns if timed samples of a pair spread by more than this.
constexpr double notable_spread = 0.1;

std::string warning_of_spread(const results::Document& document) {
  std::size_t timed = 0, spread = 0;
  for (const results::Record& record : document.records) {
    if (!record.time.solve || record.time.solve->samples < 2) continue;
    ++timed;
    spread += record.time.solve->mad > notable_spread * record.time.solve->median;
  }
  if (spread == 0) return "";
  return fmt::format(
      "{} of {} repeated solves have times that spread by more than {:g} % (median absolute "
      "deviation): the machine was not quiet",
      spread, timed, 100 * notable_spread);
}

// Of a penetration the distance to K* is |u_N| / sqrt(1 + mu^2) wherever u_T is not zero, so that a large mu
// hides what is not small.
std::string warning_of_friction(const results::Document& document) {
  constexpr double hidden = 1e-2;  // of a velocity
  const auto count = std::count_if(document.problems.begin(), document.problems.end(),
                                   [&](const results::ProblemEntry& problem) {
                                     return problem.mu_max * document.run.tolerance > hidden;
                                   });
  if (count == 0) return "";
  return fmt::format(
      "{} of {} have friction so large that residuals of {:g} may hide penetration: see "
      "verdict.signorini, or ask for a tolerance far below 1 / mu",
      count, number_of(document.problems.size(), "problem"), document.run.tolerance);
}

std::string warning_of_missing_starts(const results::Document& document) {
  if (document.run.warm_start == results::Start::zero) return "";
  const auto from_zero = std::count_if(
      document.records.begin(), document.records.end(),
      [](const results::Record& record) { return record.start == results::Start::zero; });
  if (from_zero == 0) return "";
  return fmt::format("{} of {} pairs started from zero: their files have no {} that fits",
                     from_zero, document.records.size(), name(document.run.warm_start));
}

}  // namespace

std::vector<std::string> warnings_of_records(const results::Document& document) {
  std::vector<std::string> warnings{warning_of_spread(document), warning_of_friction(document),
                                    warning_of_missing_starts(document)};
  std::erase(warnings, "");
  return warnings;
}

}  // namespace frictionbench::bench
