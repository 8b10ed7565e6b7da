#include "frictionbench/bench/plan/cost_model.hpp"

#include <algorithm>

namespace frictionbench::bench {

namespace {

// Fork, judging and the journal's flush.
constexpr double process_time = 5e-3;  // s

// Mean solve time of the registered solvers on 746 real local problems (1e-6, 20000 iterations): it
// grows with the stored entries. Unsolved pairs, which use up their iterations, dominate the mean.
constexpr double time_per_entry = 7e-5;  // s

double typical_solve_time(Index entries) { return time_per_entry * static_cast<double>(entries); }

}  // namespace

CostModel::CostModel(const results::Document& earlier) {
  std::map<std::string, std::string> sha256;
  for (const results::ProblemEntry& problem : earlier.problems) sha256[problem.id] = problem.sha256;
  for (const results::Record& record : earlier.records) {
    const std::pair pair{sha256.at(record.problem), record.solver};
    if (record.time.solve)
      known_[pair] = record.time.solve->median;
    else if (record.status == Status::time_limit)
      known_[pair] = earlier.run.time_limit;
    else if (record.status == Status::refused)
      known_[pair] = 0;
  }
}

double CostModel::solve_time(const std::string& sha256, const std::string& solver,
                             Index entries) const {
  const auto known = known_.find({sha256, solver});
  return known != known_.end() ? known->second : typical_solve_time(entries);
}

double CostModel::pair_time(const std::string& sha256, const std::string& solver, Index entries,
                            const MeasureOptions& options) const {
  const double solve = std::min(solve_time(sha256, solver, entries), options.time_limit);
  const double repetitions = solve < options.repeat_time ? options.repeat_time : 0;
  return process_time + solve + repetitions;
}

}  // namespace frictionbench::bench
