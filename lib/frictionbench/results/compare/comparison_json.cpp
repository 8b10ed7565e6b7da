// A comparison as JSON.

#include "frictionbench/results/compare/comparison.hpp"
#include "frictionbench/results/document/internal/json_fields.hpp"

namespace frictionbench::results {

void describe(auto& visit, Is<ChangeCounts> auto& counts) {
  visit("worse", counts.worse, {});
  visit("better", counts.better, {});
  visit("lost", counts.lost, {});
  visit("new", counts.added, {});
  visit("changed", counts.changed, {});
  visit("same", counts.same, {});
}

void describe(auto& visit, Is<Outcome> auto& outcome) {
  visit("status", outcome.status, {});
  visit("solved", outcome.solved, {});
  visit("residual", outcome.residual, {});
  visit("time", outcome.time, {});
  visit("samples", outcome.samples, {});
  visit("message", outcome.message, {.nullable = true});
}

void describe(auto& visit, Is<Difference> auto& difference) {
  std::vector<double> interval;
  if (difference.interval) interval = {difference.interval->low, difference.interval->high};
  visit("what", difference.what, {});
  visit("change", difference.change, {});
  visit("baseline", difference.baseline, {});
  visit("candidate", difference.candidate, {});
  visit("ratio", difference.ratio, {});
  visit("interval", interval, {.nullable = true});
  visit("p_value", difference.p_value, {});
}

void describe(auto& visit, Is<PairComparison> auto& pair) {
  visit("problem", pair.problem, {});
  visit("solver", pair.solver, {});
  visit("change", pair.change, {});
  visit("baseline", pair.baseline, {});
  visit("candidate", pair.candidate, {});
  visit("differences", pair.differences, {});
}

void describe(auto& visit, Is<SolverComparison> auto& solver) {
  visit("solver", solver.solver, {});
  visit("counts", solver.counts, {});
  visit("median_ratios", solver.median_ratios, {});
}

void describe(auto& visit, Is<Comparison> auto& comparison) {
  visit("regressed", comparison.regressed(), {});
  visit("counts", comparison.counts, {});
  visit("solvers", comparison.solvers, {});
  visit("pairs", comparison.pairs, {});
  visit("left_out", comparison.left_out, {});
  visit("notes", comparison.notes, {});
}

json to_json(const Comparison& comparison) { return to_value(comparison); }

}  // namespace frictionbench::results
