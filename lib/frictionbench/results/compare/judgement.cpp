#include <algorithm>
#include <cmath>
#include <limits>

#include "frictionbench/results/compare/internal/steps.hpp"

namespace frictionbench::results {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// What no solver should come to, on any problem.
bool is_bad(Status status) {
  return status == Status::crashed || status == Status::error || status == Status::memory_limit ||
         status == Status::wrong || status == Status::not_repeatable;
}

Difference qualitative(std::string what, Change change) {
  return {std::move(what), change, not_a_number, not_a_number, not_a_number};
}

std::optional<Difference> outcome_difference(const Outcome& before, const Outcome& after) {
  if (before.solved != after.solved)
    return qualitative("solved", before.solved ? Change::worse : Change::better);
  if (before.status == after.status) return std::nullopt;
  const bool was_bad = is_bad(before.status), is_bad_now = is_bad(after.status);
  if (was_bad == is_bad_now) return qualitative("status", Change::changed);
  return qualitative("status", is_bad_now ? Change::worse : Change::better);
}

double ratio_of(double candidate, double baseline) {
  if (candidate == baseline) return 1;
  return baseline == 0 ? infinity : candidate / baseline;
}

// A difference if the ratio is outside [1 / factor, factor]; less of everything is better.
std::optional<Difference> beyond(std::string what, double baseline, double candidate, double ratio,
                                 double factor) {
  if (ratio <= factor && ratio * factor >= 1) return std::nullopt;
  const Change change = ratio > 1 ? Change::worse : Change::better;
  return Difference{std::move(what), change, baseline, candidate, ratio};
}

// Of a record: the name of its rule, its own name and its value.
struct Count {
  std::string rule, name;
  double value;
};

// \param kinds whether factorisations are counted by kind.
std::vector<Count> counts_of(const Record& record, bool kinds) {
  std::vector<Count> counts{{"iterations", "iterations", double(record.iterations)}};
  const auto take = [&](const std::string& rule, const char* name, std::int64_t value) {
    counts.push_back({rule, name, static_cast<double>(value)});
  };
  const auto visit = [&](const char* rule, const auto& work, const Field&) {
    const auto take_kind = [&](const char* kind, std::int64_t value, const Field&) {
      take(rule, kind, value);
    };
    if constexpr (std::same_as<std::decay_t<decltype(work)>, std::int64_t>)
      take(rule, rule, work);
    else if (kinds)
      describe(take_kind, work);
    else
      take(rule, rule, work.all());
  };
  describe(visit, record.work);
  return counts;
}

std::optional<Difference> counter_difference(const std::vector<CounterRule>& rules,
                                             const Count& before, const Count& after) {
  const auto rule = std::find_if(rules.begin(), rules.end(),
                                 [&](const CounterRule& r) { return r.name == before.rule; });
  if (rule == rules.end() || !rule->allowance) return std::nullopt;
  const double baseline = before.value, candidate = after.value;
  // The allowed change in percent of the baseline, both ways, without a division that rounds.
  if (100 * std::abs(candidate - baseline) <= *rule->allowance * baseline) return std::nullopt;
  return beyond(before.name, baseline, candidate, ratio_of(candidate, baseline), 1);
}

std::optional<Difference> residual_difference(const ResidualRule& rule, const Outcome& before,
                                              const Outcome& after, double tolerance) {
  if (!before.residual || !after.residual) return std::nullopt;
  // NaN stands for what could not be evaluated: larger than any number.
  const auto counted = [&](double residual) {
    return std::isnan(residual) ? infinity : std::max(residual, rule.floor * tolerance);
  };
  const double baseline = counted(*before.residual), candidate = counted(*after.residual);
  return beyond("residual", *before.residual, *after.residual, ratio_of(candidate, baseline),
                rule.factor);
}

void add(std::vector<Difference>& differences, std::optional<Difference> difference) {
  if (difference) differences.push_back(std::move(*difference));
}

// The worst of all differences decides.
Change overall(const std::vector<Difference>& differences) {
  const auto any = [&](Change change) {
    return std::any_of(differences.begin(), differences.end(),
                       [&](const Difference& d) { return d.change == change; });
  };
  for (const Change change : {Change::worse, Change::better, Change::changed})
    if (any(change)) return change;
  return Change::same;
}

// Sets the change that follows from the differences, and sorts them.
void conclude(PairComparison& pair) {
  pair.change = overall(pair.differences);
  // What made the pair what it is comes first: statuses, then the largest ratios.
  const auto rank = [&](const Difference& difference) {
    const double size =
        std::isnan(difference.ratio) ? infinity : std::abs(std::log(difference.ratio));
    return std::make_pair(difference.change != pair.change, -size);
  };
  std::stable_sort(pair.differences.begin(), pair.differences.end(),
                   [&](const Difference& a, const Difference& b) { return rank(a) < rank(b); });
}

}  // namespace

JudgedRecord judged(const Record& record, const RunInfo& run, ContactModel model) {
  Outcome outcome{.status = record.status,
                  .solved = record.solved.under(run.criterion, run.scale),
                  .message = record.message};
  if (record.verdict) outcome.residual = residual_under(run.criterion, run.scale, model, record);
  if (record.time.solve) {
    const std::vector<double>& rounds = record.time.rounds;
    outcome.time = rounds.empty() ? record.time.solve->median : median(rounds);
    outcome.samples = record.time.solve->samples;
  }
  return {record, std::move(outcome)};
}

bool same_ending(const Outcome& baseline, const Outcome& candidate) {
  if (baseline.solved && candidate.solved) return true;
  return !baseline.solved && !candidate.solved && baseline.status == candidate.status &&
         baseline.status != Status::time_limit;
}

bool is_counter(const std::string& what) {
  return what != "solved" && what != "status" && what != "residual" && what != "time";
}

void judge(PairComparison& pair, const JudgedRecord& baseline, const JudgedRecord& candidate,
           const ComparisonRules& rules, double tolerance) {
  const Record& before = baseline.record;
  const Record& after = candidate.record;
  std::vector<Difference>& differences = pair.differences;
  pair.baseline = baseline.outcome;
  pair.candidate = candidate.outcome;

  add(differences, outcome_difference(*pair.baseline, *pair.candidate));
  if (same_ending(*pair.baseline, *pair.candidate)) {
    const bool kinds =
        before.work.factorizations.unspecified == 0 && after.work.factorizations.unspecified == 0;
    const auto counts = counts_of(before, kinds), counts_after = counts_of(after, kinds);
    for (std::size_t k = 0; k < counts.size(); ++k)
      add(differences, counter_difference(rules.counters, counts[k], counts_after[k]));
    if (rules.residual)
      add(differences,
          residual_difference(*rules.residual, *pair.baseline, *pair.candidate, tolerance));
  }
  conclude(pair);
}

void add(PairComparison& pair, const Difference& difference) {
  pair.differences.push_back(difference);
  conclude(pair);
}

}  // namespace frictionbench::results
