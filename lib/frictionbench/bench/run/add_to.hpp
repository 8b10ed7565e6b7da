/// \file
/// A run that adds to an earlier one: what is there already is not run again.
#pragma once

#include <vector>

#include "frictionbench/bench/plan/plan.hpp"
#include "frictionbench/bench/plan/run_options.hpp"
#include "frictionbench/results/merge/merge.hpp"

namespace frictionbench::bench {

/// What of an earlier document stays, and what of a plan is left to run.
struct Addition {
  /// The earlier document without what is run again, and with the data sets that are known since.
  results::Document kept;
  Plan plan;                 ///< without the pairs that `kept` has
  std::size_t reused = 0;    ///< pairs of the plan that `kept` has
  std::size_t outdated = 0;  ///< records of changed solvers on problems that the plan does not have
};

/// Compares a plan with an earlier document. A pair is kept if its problem's file is the same, by its
/// SHA-256, and its solver has not changed: the same settings, those of a plug-in with the SHA-256
/// of the library; and for a solver of this program the same commit, without uncommitted changes.
/// \throws results::MergeError if limits or other settings of the runs differ, or a file has changed.
Addition addition_to(const results::NamedDocument& earlier, Plan plan,
                     const std::vector<ConfiguredSolver>& solvers, const RunOptions& options);

}  // namespace frictionbench::bench
