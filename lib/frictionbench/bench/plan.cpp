#include "frictionbench/bench/plan.hpp"

#include <algorithm>
#include <numeric>

#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/fclib/sha256.hpp"

namespace frictionbench::bench {

namespace {

bool wanted(const ContactProblem& problem, const PlanOptions& options) {
  return (!options.dimension || problem.dimension() == *options.dimension) &&
         (!options.max_contacts || problem.contacts() <= *options.max_contacts);
}

// Of the matrices as they are in the file: the local form of a global problem is not made for this.
Index stored_entries(const ContactProblem& problem) {
  if (const GlobalForm* global = problem.global())
    return global->M.nonZeros() + global->H.nonZeros();
  return problem.local().W.nonZeros();
}

std::string sha256_or_nothing(const std::string& path) {
  try {
    return fclib::sha256_of_file(path);
  } catch (const fclib::FileError&) {
    return {};
  }
}

// Drops the pairs of other shards, and then the problems that have none left.
void keep_shard(Plan& plan, const results::Shard& shard) {
  struct Pair {
    std::size_t problem, solver;
    double time;
  };
  std::vector<Pair> pairs;
  for (std::size_t p = 0; p < plan.problems.size(); ++p)
    for (const auto& [solver, time] : plan.problems[p].solvers) pairs.push_back({p, solver, time});
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.time > b.time; });

  std::vector<double> load(static_cast<std::size_t>(shard.count), 0.0);
  for (const Pair& pair : pairs) {
    const auto least = std::min_element(load.begin(), load.end());
    *least += pair.time;
    if (least - load.begin() != shard.number - 1)
      plan.problems[pair.problem].solvers.erase(pair.solver);
  }
  std::erase_if(plan.problems, [](const ProblemPlan& problem) { return problem.solvers.empty(); });
}

}  // namespace

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

Plan make_plan(const std::vector<ProblemSource>& sources,
               const std::vector<ConfiguredSolver>& solvers, const PlanOptions& options) {
  Plan plan;
  plan.shard = options.shard;
  for (const ProblemSource& source : sources) {
    const std::size_t position = plan.files.size();
    try {
      const ContactProblem problem = fclib::read_problem(source.path).problem;
      if (!wanted(problem, options)) {
        ++plan.left_out;
        continue;
      }
      ProblemPlan planned{source, fclib::sha256_of_file(source.path), position, {}};
      const Index entries = stored_entries(problem);
      for (std::size_t s = 0; s < solvers.size(); ++s)
        planned.solvers[s] =
            options.costs.pair_time(planned.sha256, solvers[s].id, entries, options.measure);
      plan.files.push_back({source.id, source.path, planned.sha256});
      plan.problems.push_back(std::move(planned));
    } catch (const fclib::FileError& error) {
      plan.files.push_back({source.id, source.path, sha256_or_nothing(source.path)});
      plan.unreadable[position] = {source.path, error.what()};
    }
  }
  if (options.shard) keep_shard(plan, *options.shard);
  return plan;
}

std::vector<Refusal> find_refusals(Plan& plan, const std::vector<ConfiguredSolver>& solvers) {
  std::vector<Refusal> refusals;
  std::erase_if(plan.problems, [&](const ProblemPlan& planned) {
    const ProblemSource& source = planned.source;
    try {
      const ContactProblem problem = fclib::read_problem(source.path).problem;
      reduce(problem, source.path);
      for (const auto& [s, time] : planned.solvers)
        if (std::string reason = reason_to_refuse(solvers[s].info(), problem); !reason.empty())
          refusals.push_back({source.id, solvers[s].id, std::move(reason)});
      return false;
    } catch (const fclib::FileError& error) {
      plan.unreadable[planned.position] = {source.path, error.what()};
      return true;
    }
  });
  return refusals;
}

}  // namespace frictionbench::bench
