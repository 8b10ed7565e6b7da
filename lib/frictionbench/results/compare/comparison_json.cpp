// A comparison as JSON.

#include "frictionbench/results/compare/comparison.hpp"
#include "frictionbench/results/document/json_members.hpp"

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
          {"residual", to_value(outcome->residual)},
          {"time", to_value(outcome->time)},
          {"message", to_value(null_if_empty(outcome->message))}};
}

json to_json(const Difference& difference) {
  json interval = nullptr;
  if (difference.interval) interval = {difference.interval->low, difference.interval->high};
  return {{"what", difference.what},
          {"change", name(difference.change)},
          {"baseline", to_value(difference.baseline)},
          {"candidate", to_value(difference.candidate)},
          {"ratio", to_value(difference.ratio)},
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
  return {{"solver", solver.solver},
          {"counts", to_json(solver.counts)},
          {"median_ratios", to_value(solver.median_ratios)}};
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
