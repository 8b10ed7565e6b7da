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

}  // namespace frictionbench::bench
