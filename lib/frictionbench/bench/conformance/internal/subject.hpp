/// \file
/// The solver that is examined.
#pragma once

#include <string>
#include <vector>

#include "frictionbench/bench/conformance/conformance.hpp"
#include "frictionbench/bench/measure/internal/processors.hpp"
#include "frictionbench/bench/process/internal/pair_process.hpp"

namespace frictionbench::bench::conformance {

/// What a solver did besides solving.
struct Conduct {
  std::string changed = {};  ///< the first piece of the problem that it changed; empty if none
  long printed = 0;          ///< bytes that it wrote to standard output
  std::string failure = {};  ///< why nothing is known; empty otherwise
};

class Subject {
 public:
  Subject(const ConfiguredSolver& solver, const Settings& settings);

  const SolverInfo& info() const { return solver_.info(); }
  /// Contacts of this dimension.
  bool takes(int dimension) const {
    return info().contacts && (dimension == 2 ? info().two_dimensional : info().three_dimensional);
  }

  /// Those of 2 and 3 that it takes.
  std::vector<int> dimensions() const;

  /// The limits of the checks; one solve, judged by the solver's own model, in the units of the
  /// problem.
  const RunOptions& options() const { return options_; }

  /// Solves in a child process; the answer is judged in this one. \param start m, or empty for zero.
  PairOutcome solve(const ContactProblem& problem, const RunOptions& options,
                    const Vector& start = {}) const;
  PairOutcome solve(const ContactProblem& problem) const { return solve(problem, options_); }

  /// Watches a solve in a child process.
  Conduct watch(const ContactProblem& problem) const;

 private:
  ConfiguredSolver solver_;
  RunOptions options_;
  ProcessorClaim claim_;
};

}  // namespace frictionbench::bench::conformance
