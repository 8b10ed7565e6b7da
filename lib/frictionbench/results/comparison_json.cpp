// A comparison as JSON.

#include "frictionbench/results/comparison.hpp"
#include "frictionbench/results/json_values.hpp"

namespace frictionbench::results {

namespace {

json to_json(const ChangeCounts& counts) {
  return {{"worse", counts.worse}, {"better", counts.better},   {"lost", counts.lost},
          {"new", counts.added},   {"changed", counts.changed}, {"same", counts.same}};
}

json to_json(const std::optional<Outcome>& outcome) {
  if (!outcome) return nullptr;
  return {{"status", name(outcome->status)},
          {"solved", outcome->solved},
          {"residual", outcome->residual ? number(*outcome->residual) : json(nullptr)},
          {"time", or_null(outcome->time)},
          {"message", text_or_null(outcome->message)}};
}

json to_json(const Difference& difference) {
  json interval = nullptr;
  if (difference.interval) interval = {difference.interval->low, difference.interval->high};
  return {{"what", difference.what},
          {"change", name(difference.change)},
          {"baseline", number(difference.baseline)},
          {"candidate", number(difference.candidate)},
          {"ratio", number(difference.ratio)},
          {"interval", interval}};
}

json to_json(const PairComparison& pair) {
  json differences = json::array();
  for (const Difference& difference : pair.differences) differences.push_back(to_json(difference));
  return {{"problem", pair.problem},
          {"solver", pair.solver},
          {"change", name(pair.change)},
          {"baseline", to_json(pair.baseline)},
          {"candidate", to_json(pair.candidate)},
          {"differences", differences}};
}

json to_json(const SolverComparison& solver) {
  json ratios = json::object();
  for (const auto& [counter, ratio] : solver.median_ratios) ratios[counter] = number(ratio);
  return {{"solver", solver.solver}, {"counts", to_json(solver.counts)}, {"median_ratios", ratios}};
}

}  // namespace

json to_json(const Comparison& comparison) {
  json solvers = json::array(), pairs = json::array();
  for (const SolverComparison& solver : comparison.solvers) solvers.push_back(to_json(solver));
  for (const PairComparison& pair : comparison.pairs) pairs.push_back(to_json(pair));
  return {{"regressed", comparison.regressed()},
          {"counts", to_json(comparison.counts)},
          {"solvers", solvers},
          {"pairs", pairs},
          {"notes", comparison.notes}};
}

}  // namespace frictionbench::results
