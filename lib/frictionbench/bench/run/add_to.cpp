#include "frictionbench/bench/run/add_to.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "frictionbench/base/sha256.hpp"
#include "frictionbench/bench/measure/entries.hpp"
#include "frictionbench/results/merge/join.hpp"

namespace frictionbench::bench {

namespace {

using Pair = std::pair<std::string, std::string>;  // problem, solver

bool is_of_this_program(const results::SolverEntry& solver) {
  return !solver.settings.contains("library_sha256") && !solver.settings.contains("command");
}

class Earlier {
 public:
  explicit Earlier(const results::Document& document) : document_(document) {
    for (const results::SolverEntry& solver : document.solvers) solvers_[solver.id] = &solver;
    for (const results::ProblemEntry& problem : document.problems)
      files_[problem.id] = problem.sha256;
    for (const results::Record& record : document.records)
      records_.insert({record.problem, record.solver});
  }

  // By the solver's current entry.
  bool has_changed(const results::SolverEntry& solver, const results::RunInfo& current) const {
    const auto found = solvers_.find(solver.id);
    if (found == solvers_.end()) return false;
    if (found->second->model != solver.model || found->second->settings != solver.settings)
      return true;
    if (!is_of_this_program(solver)) return false;
    const bool is_dirty =
        document_.run.git_dirty.value_or(false) || current.git_dirty.value_or(false);
    return is_dirty || current.git_revision.empty() ||
           results::revision_of(document_.run, solver.id) != current.git_revision;
  }
  bool has(const Pair& pair) const { return records_.contains(pair); }
  // Of a problem; empty if it is not there.
  std::string sha256(const std::string& problem) const {
    const auto found = files_.find(problem);
    return found == files_.end() ? "" : found->second;
  }

 private:
  const results::Document& document_;
  std::map<std::string, const results::SolverEntry*> solvers_;
  std::map<std::string, std::string> files_;
  std::set<Pair> records_;
};

void refuse_changed_file(const results::NamedDocument& earlier, const ProblemPlan& problem,
                         const std::string& known) {
  const std::string sha256 =
      problem.sha256.empty() ? sha256_of_file(problem.source.path) : problem.sha256;
  if (sha256 != known)
    throw results::MergeError(fmt::format("{}: {} has changed since: its SHA-256 was {} and is {}",
                                          earlier.name, problem.source.path, known, sha256));
}

}  // namespace

Addition addition_to(const results::NamedDocument& earlier, Plan plan,
                     const std::vector<ConfiguredSolver>& solvers, const RunOptions& options) {
  const results::Document& document = earlier.document;
  results::require_same_settings(earlier.name, document.run, "this run", options);
  const results::RunInfo current = run_info(options);
  const Earlier known(document);
  std::set<std::string> changed;
  for (const ConfiguredSolver& solver : solvers)
    if (known.has_changed(solver_entry_of(solver), current)) changed.insert(solver.id);

  Addition addition{document, std::move(plan)};
  for (results::ProblemEntry& problem : addition.kept.problems)
    if (!problem.data_set) problem.data_set = data_set_of(problem.sha256);
  std::set<std::string> planned;
  for (ProblemPlan& problem : addition.plan.problems) {
    const std::string& id = problem.source.id;
    planned.insert(id);
    const std::string sha256 = known.sha256(id);
    if (sha256.empty()) continue;
    refuse_changed_file(earlier, problem, sha256);
    addition.reused += std::erase_if(problem.solvers, [&](const auto& entry) {
      const std::string& solver = solvers[entry.first].id;
      return !changed.contains(solver) && known.has({id, solver});
    });
  }
  std::erase_if(addition.plan.problems,
                [](const ProblemPlan& problem) { return problem.solvers.empty(); });
  std::erase_if(addition.kept.records, [&](const results::Record& record) {
    const bool is_changed = changed.contains(record.solver);
    addition.outdated += is_changed && !planned.contains(record.problem);
    return is_changed;
  });
  std::erase_if(addition.kept.solvers,
                [&](const results::SolverEntry& solver) { return changed.contains(solver.id); });
  return addition;
}

}  // namespace frictionbench::bench
