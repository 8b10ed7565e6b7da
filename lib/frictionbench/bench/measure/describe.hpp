/// \file
/// Problems, solvers and runs as entries of the results document.
#pragma once

#include "frictionbench/bench/plan/problems.hpp"
#include "frictionbench/bench/plan/run_options.hpp"
#include "frictionbench/fclib/problem_file.hpp"
#include "frictionbench/results/document/document.hpp"
#include "frictionbench/solver/registry.hpp"

namespace frictionbench::bench {

/// The entry of a problem in the document.
results::ProblemEntry describe(const ProblemSource& source, const fclib::ProblemFile& file);

/// The entry of a solver in the document.
results::SolverEntry describe(const ConfiguredSolver& solver);

/// The run's part of a document: options and environment, with `started` set to now.
results::RunInfo describe(const RunOptions& options);

/// What a record says besides what measure() does.
struct PairOrigin {
  std::string problem;  ///< ProblemSource::id
  std::string solver;   ///< ConfiguredSolver::id
  results::Start start = results::Start::zero;
  std::string previous;       ///< as Record::previous
  double read_time = 0;       ///< s
  double assembly_time = 0;   ///< s
  int concurrent_pairs = 0;   ///< most other pairs at the same time
};
void add_origin(results::Record& record, const PairOrigin& origin);

}  // namespace frictionbench::bench
