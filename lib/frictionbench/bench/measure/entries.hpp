/// \file
/// What the results document says of a run, its problems and its solvers, beside what was measured.
#pragma once

#include <optional>
#include <string>

#include "frictionbench/bench/plan/problems.hpp"
#include "frictionbench/bench/plan/run_options.hpp"
#include "frictionbench/fclib/problem_file.hpp"
#include "frictionbench/results/document/document.hpp"
#include "frictionbench/solver/registry.hpp"

namespace frictionbench::bench {

/// The data set that has the file with this SHA-256, among those known here.
std::optional<results::DataSetName> data_set_of(const std::string& sha256);

/// The entry of a problem in the document.
results::ProblemEntry problem_entry(const ProblemSource& source, const fclib::ProblemFile& file);

/// The entry of a solver in the document.
results::SolverEntry solver_entry_of(const ConfiguredSolver& solver);

/// The run's part of a document: options and environment, with `started` set to now.
results::RunInfo run_info(const RunOptions& options);

/// What a record says besides what measure() does.
struct PairOrigin {
  std::string problem;                          ///< ProblemSource::id
  std::string solver;                           ///< ConfiguredSolver::id
  results::Start start = results::Start::zero;  ///< as Record::start
  std::string previous;                         ///< as Record::previous
  double read_time = 0;                         ///< s
  double assembly_time = 0;                     ///< s
  int concurrent_pairs = 0;                     ///< most other pairs at the same time
};
void add_origin(results::Record& record, const PairOrigin& origin);  ///< replaces these members

}  // namespace frictionbench::bench
