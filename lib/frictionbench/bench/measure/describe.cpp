#include "frictionbench/bench/measure/describe.hpp"

#include "frictionbench/bench/measure/environment.hpp"
#include "frictionbench/problem/facts.hpp"
#include "frictionbench/results/document/json.hpp"

namespace frictionbench::bench {

results::ProblemEntry describe(const ProblemSource& source, const fclib::ProblemFile& file) {
  const ContactProblem& problem = file.problem;
  const ProblemFacts facts = facts_of(problem);
  results::ProblemEntry entry;
  entry.id = source.id;
  entry.path = source.path;
  entry.sha256 = file.sha256;
  entry.family = source.family;
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
  return entry;
}

results::SolverEntry describe(const ConfiguredSolver& solver) {
  results::SolverEntry entry{
      solver.id, solver.info().name, solver.info().model, solver.info().exact, {}};
  for (const auto& [name, value] : solver.settings) entry.settings[name] = value;
  return entry;
}

results::RunInfo describe(const RunOptions& options) {
  results::RunInfo run;
  part<results::RunSettings>(run) = options;
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
