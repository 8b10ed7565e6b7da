#include "frictionbench/bench/measure/entries.hpp"

#include "frictionbench/base/version.hpp"
#include "frictionbench/bench/measure/environment.hpp"
#include "frictionbench/datasets/registry.hpp"
#include "frictionbench/problem/facts.hpp"

namespace frictionbench::bench {

std::optional<results::DataSetName> data_set_of(const std::string& sha256) {
  const datasets::DataSet* set = datasets::known().set_of(sha256);
  if (!set) return std::nullopt;
  return results::DataSetName{set->name, set->version};
}

results::ProblemEntry problem_entry(const ProblemSource& source, const fclib::ProblemFile& file) {
  const ContactProblem& problem = file.problem;
  const ProblemFacts facts = facts_of(problem);
  results::ProblemEntry entry;
  entry.id = source.id;
  entry.path = source.path;
  entry.sha256 = file.sha256;
  entry.family = source.family;
  entry.data_set = data_set_of(file.sha256);
  entry.form = problem.form();
  entry.dimension = problem.dimension();
  entry.contacts = problem.contacts();
  entry.unknowns = problem.unknowns();
  if (problem.global()) entry.dofs = problem.global()->M.rows();
  entry.nonzeros = facts.nonzeros;
  entry.asymmetry = facts.asymmetry;
  entry.mu_min = facts.mu_min;
  entry.mu_max = facts.mu_max;
  entry.bilateral = problem.bilateral_rows();
  entry.sets = sets_of(problem);
  entry.compliance_min = facts.compliance_min;
  entry.compliance_max = facts.compliance_max;
  entry.islands = facts.islands;
  return entry;
}

results::SolverEntry solver_entry_of(const ConfiguredSolver& solver) {
  const SolverInfo& info = solver.info();
  return {solver.id,
          info.name,
          info.model,
          info.exact,
          {solver.settings.begin(), solver.settings.end()}};
}

results::RunInfo run_info(const RunOptions& options) {
  results::RunInfo run;
  part<results::RunSettings>(run) = part<results::RunSettings>(options);
  run.command = options.command;
  run.started = utc_now();
  describe_environment(run);
  return run;
}

void add_origin(results::Record& record, const PairOrigin& origin) {
  record.problem = origin.problem;
  record.solver = origin.solver;
  record.start = origin.start;
  record.previous = origin.previous;
  record.time.read = origin.read_time;
  record.time.assembly = origin.assembly_time;
  record.time.concurrent_pairs = origin.concurrent_pairs;
}

}  // namespace frictionbench::bench
