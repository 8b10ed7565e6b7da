/// \file
/// A whole run: every problem, every solver, one record a pair.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frictionbench/bench/plan/plan.hpp"
#include "frictionbench/bench/plan/run_options.hpp"
#include "frictionbench/results/document/document.hpp"

namespace frictionbench::bench {

/// Told of what happens, in the order in which it does.
class Progress {
 public:
  virtual ~Progress() = default;
  virtual void started(const Plan&) {}
  virtual void resumed(bool /*repaired*/) {}    ///< a journal was read, its cut last line removed
  virtual void known(std::size_t /*pairs*/) {}  ///< pairs of a problem that the journal has
  /// Only its reduction, or a change since the plan was made, showed that the problem is unusable.
  virtual void unusable(const ProblemPlan&, const results::Unreadable&) {}
  virtual void finished(const results::Record&) {}
  /// Asked before every pair: true ends the run after the pairs that are under way.
  virtual bool stop_requested() { return false; }
};

/// Runs the pairs of a plan, each in a child process of its own.
/// A problem that cannot be used becomes an entry of `unreadable`; whatever a solver does becomes a
/// record. The document lists problems, solvers and records in the order of the plan, however
/// many pairs ran at once and however often the run was resumed.
/// \param solvers those that the plan was made with.
/// \returns nothing if the run was asked to stop before its end; the journal has what was finished.
/// \throws JournalError if the journal cannot be written or belongs to another run;
///         std::invalid_argument for more jobs than processors; std::system_error if no processes
///         can be made.
std::optional<results::Document> run(const Plan& plan, const std::vector<ConfiguredSolver>& solvers,
                                     const RunOptions& options, Progress& progress);

}  // namespace frictionbench::bench
