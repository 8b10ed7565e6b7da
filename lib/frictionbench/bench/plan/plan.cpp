#include "frictionbench/bench/plan/plan.hpp"

#include <algorithm>
#include <numeric>

#include "frictionbench/base/sha256.hpp"
#include "frictionbench/bench/plan/internal/sequences.hpp"
#include "frictionbench/fclib/reader.hpp"

namespace frictionbench::bench {

namespace {

// Fork, judging and the journal's flush.
constexpr double process_time = 5e-3;  // s

// Mean solve time of the registered solvers on 746 real local problems (1e-6, 20000 iterations): it
// grows with the stored entries. Unsolved pairs, which use up their iterations, dominate the mean.
constexpr double time_per_entry = 7e-5;  // s

double typical_solve_time(Index entries) { return time_per_entry * static_cast<double>(entries); }

bool wanted(const fclib::ProblemSizes& problem, const PlanOptions& options) {
  return (!options.dimension || problem.dimension == *options.dimension) &&
         (!options.max_contacts || problem.contacts <= *options.max_contacts);
}

std::string sha256_or_nothing(const std::string& path) {
  try {
    return sha256_of_file(path);
  } catch (const FileError&) {
    return {};
  }
}

// For every problem, the first one of those that start one from another's answer; most stand alone.
std::vector<std::size_t> chain_heads(const Plan& plan) {
  const auto previous = plan.previous_problems();
  std::vector<std::size_t> heads(previous.size());
  for (std::size_t p = 0; p < heads.size(); ++p)
    for (heads[p] = p; previous[heads[p]];) heads[p] = *previous[heads[p]];
  return heads;
}

// Drops the pairs of other shards, and then the problems that have none left.
void keep_shard(Plan& plan, const results::Shard& shard) {
  struct Chain {
    double time = 0;
    std::vector<std::size_t> problems = {};
  };
  const std::vector<std::size_t> heads = chain_heads(plan);
  std::map<std::pair<std::size_t, std::size_t>, Chain> by_head;  // and by solver
  for (std::size_t p = 0; p < plan.problems.size(); ++p)
    for (const auto& [solver, time] : plan.problems[p].solvers) {
      Chain& chain = by_head[{heads[p], solver}];
      chain.time += time;
      chain.problems.push_back(p);
    }
  std::vector<std::pair<std::size_t, Chain>> chains;  // solver, in the order of the plan
  for (auto& [place, chain] : by_head) chains.emplace_back(place.second, std::move(chain));
  std::stable_sort(chains.begin(), chains.end(),
                   [](const auto& a, const auto& b) { return a.second.time > b.second.time; });

  std::vector<double> load(static_cast<std::size_t>(shard.count), 0.0);
  for (const auto& [solver, chain] : chains) {
    const auto least = std::min_element(load.begin(), load.end());
    *least += chain.time;
    if (least - load.begin() != shard.number - 1)
      for (const std::size_t p : chain.problems) plan.problems[p].solvers.erase(solver);
  }
  std::erase_if(plan.problems, [](const ProblemPlan& problem) { return problem.solvers.empty(); });
}

void link_sequences(Plan& plan, const std::vector<SequenceMember>& members) {
  const std::vector<SequencePlace> places = find_sequences(members);
  for (std::size_t p = 0; p < places.size(); ++p) {
    plan.problems[p].sequence = places[p].sequence;
    if (places[p].previous) plan.problems[p].previous = plan.problems[*places[p].previous].position;
  }
}

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
                            const results::SolveSettings& options) const {
  const double solve = std::min(solve_time(sha256, solver, entries), options.time_limit);
  const double repetitions = solve < options.repeat_time ? options.repeat_time : 0;
  return process_time + solve + repetitions;
}

std::size_t Plan::pairs() const {
  return std::accumulate(
      problems.begin(), problems.end(), std::size_t{0},
      [](std::size_t sum, const ProblemPlan& problem) { return sum + problem.solvers.size(); });
}

double Plan::estimated_time() const {
  double sum = 0;
  for (const ProblemPlan& problem : problems)
    for (const auto& [solver, time] : problem.solvers) sum += time;
  return sum;
}

std::vector<std::optional<std::size_t>> Plan::previous_problems() const {
  std::map<std::size_t, std::size_t> by_position;
  for (std::size_t p = 0; p < problems.size(); ++p) by_position[problems[p].position] = p;
  std::vector<std::optional<std::size_t>> previous(problems.size());
  for (std::size_t p = 0; p < problems.size(); ++p) {
    if (!problems[p].previous) continue;
    const auto found = by_position.find(*problems[p].previous);
    if (found != by_position.end()) previous[p] = found->second;
  }
  return previous;
}

Plan make_plan(const std::vector<ProblemSource>& sources,
               const std::vector<ConfiguredSolver>& solvers, const PlanOptions& options) {
  Plan plan;
  plan.shard = options.shard;
  plan.sequence = options.sequence;
  plan.compliance = options.measure.compliance;
  std::vector<SequenceMember> members;  // of plan.problems
  // A run hashes the problems that it reads; shards are told apart by all of them, and times of an
  // earlier run are known by hash.
  const bool hashed = options.shard || !options.costs.empty();
  for (const ProblemSource& source : sources) {
    const std::size_t position = plan.files.size();
    try {
      const fclib::ProblemSizes problem = fclib::inspect(source.path);
      if (!wanted(problem, options)) {
        ++plan.left_out;
        continue;
      }
      ProblemPlan planned{source, hashed ? sha256_of_file(source.path) : "", position, {}, {}, {}};
      for (std::size_t s = 0; s < solvers.size(); ++s)
        planned.solvers[s] =
            options.rounds * options.costs.pair_time(planned.sha256, solvers[s].id,
                                                     problem.nonzeros, options.measure);
      plan.files.push_back({source.id, source.path, planned.sha256});
      plan.problems.push_back(std::move(planned));
      members.push_back({source.path, problem.form, problem.dimension, problem.contacts,
                         problem.unknowns, problem.identified});
    } catch (const FileError& error) {
      plan.files.push_back({source.id, source.path, hashed ? sha256_or_nothing(source.path) : ""});
      plan.unreadable[position] = {source.path, error.what()};
    }
  }
  if (options.sequence) link_sequences(plan, members);
  if (options.shard) keep_shard(plan, *options.shard);
  return plan;
}

bool ProblemPlan::needs_no_W(const std::vector<ConfiguredSolver>& all) const {
  return std::ranges::all_of(
      solvers, [&](const auto& pair) { return all[pair.first].info().uses_global_form; });
}

std::vector<Refusal> find_refusals(Plan& plan, const std::vector<ConfiguredSolver>& solvers) {
  std::vector<Refusal> refusals;
  std::erase_if(plan.problems, [&](const ProblemPlan& planned) {
    const ProblemSource& source = planned.source;
    try {
      const ContactProblem problem = prepared(fclib::read_problem(source.path).problem, source.path,
                                              plan.compliance, planned.needs_no_W(solvers));
      for (const auto& [s, time] : planned.solvers)
        if (std::string reason = reason_to_refuse(solvers[s].info(), problem); !reason.empty())
          refusals.push_back({source.id, solvers[s].id, std::move(reason)});
      return false;
    } catch (const FileError& error) {
      plan.unreadable[planned.position] = {source.path, error.what()};
      return true;
    }
  });
  return refusals;
}

}  // namespace frictionbench::bench
