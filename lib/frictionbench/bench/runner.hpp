/// \file
/// A whole run: every problem, every solver, one record a pair.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frictionbench/bench/measure.hpp"
#include "frictionbench/bench/problems.hpp"
#include "frictionbench/results/document.hpp"

namespace frictionbench::bench {

struct RunOptions {
  MeasureOptions measure;
  std::optional<int> dimension;       ///< only 2D or only 3D problems
  std::optional<Index> max_contacts;  ///< only problems with at most so many contacts
  std::vector<std::string> command;   ///< for the document
};

/// Told of what happens, in order. Pairs are solver by solver within a problem.
class Progress {
 public:
  virtual ~Progress() = default;
  virtual void started(std::size_t /*problems*/, std::size_t /*solvers*/) {}
  virtual void unreadable(const results::Unreadable&) {}
  virtual void left_out(const ProblemSource&) {}  ///< by dimension or number of contacts
  virtual void finished(const results::Record&) {}
};

/// Runs every solver on every problem, each pair in a child process of its own.
/// A problem that cannot be read becomes an entry of `unreadable`; whatever a solver does becomes a
/// record. \throws std::system_error if no processes can be made.
results::Document run(const std::vector<ProblemSource>& problems,
                      const std::vector<ConfiguredSolver>& solvers, const RunOptions& options,
                      Progress& progress);

/// The entry of a problem in the document.
results::ProblemEntry describe(const ProblemSource& source, const ContactProblem& problem);

/// The entry of a solver in the document.
results::SolverEntry describe(const ConfiguredSolver& solver);

/// The run's part of a document: options and environment, with `started` set to now.
results::RunInfo describe(const RunOptions& options);

}  // namespace frictionbench::bench
