/// \file
/// A whole run: every problem, every solver, one record per pair.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frictionbench/bench/plan/plan.hpp"
#include "frictionbench/bench/plan/run_options.hpp"
#include "frictionbench/results/document/document.hpp"

namespace frictionbench::bench {

/// Whether and how a run is to end early.
enum class Stop { no, after_pairs_under_way, now };

/// Is told of the events of a run, in their order, and may end it.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  virtual void started(const Plan&) {}        ///< once, before the first pair
  virtual void resumed(bool /*repaired*/) {}  ///< a journal was read, its cut last line removed
  virtual void in_journal(std::size_t /*pairs*/) {}  ///< pairs of a problem that it has already
  /// Reading the problem's matrices, reducing it, or a change since the plan was made showed that
  /// it cannot be used.
  virtual void unusable(const ProblemPlan&, const results::Unreadable&) {}
  /// A pair has ended its first round, whatever its status, with this impulse: m, or empty.
  virtual void finished(const results::Record&, const Vector& /*r*/) {}
  /// A pair has ended a later round, which may have made it `not_repeatable`.
  virtual void repeated(const results::Record&) {}
  /// So many pairs are not measured in this later round: the journal has it already, or they take
  /// part no more.
  virtual void left_out(std::size_t /*pairs*/) {}
  /// Asked before every pair and while pairs are under way.
  virtual Stop stop_requested() { return Stop::no; }
};

/// Runs the pairs of a plan, each in a child process of its own, in each of the rounds. A later round
/// starts when the one before has ended, with every pair from the same impulse; where a pair starts
/// from a previous answer, that is the answer of the same round, equal to that of the first.
/// A problem that cannot be used becomes an entry of `unreadable`; whatever a solver does becomes a
/// record. The document lists problems, solvers and records in the order of the plan, however
/// many pairs ran concurrently and however often the run was resumed.
/// \param solvers those that the plan was made with.
/// \returns nothing if the run was stopped before its end; the journal has what was finished.
/// \throws JournalError if the journal cannot be written or belongs to another run;
///         std::invalid_argument for more jobs than processors; std::system_error if no processes
///         can be made.
std::optional<results::Document> run(const Plan& plan, const std::vector<ConfiguredSolver>& solvers,
                                     const RunOptions& options, RunObserver& observer);

/// Deletes the journal of an unfinished run, if it is there. \throws JournalError if a run has it open.
void discard_journal(const std::string& path);

}  // namespace frictionbench::bench
