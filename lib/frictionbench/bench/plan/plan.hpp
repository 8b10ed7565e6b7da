/// \file
/// What a run is going to do, known before it starts.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frictionbench/bench/plan/problems.hpp"
#include "frictionbench/results/document/document.hpp"
#include "frictionbench/results/document/run_settings.hpp"
#include "frictionbench/solver/registry.hpp"

namespace frictionbench::bench {

/// Estimates the time of a solve: from an earlier run where that has the pair, from the size of the
/// problem otherwise. The same inputs give the same estimates on every machine, because shards are
/// cut by them.
class CostModel {
 public:
  CostModel() = default;
  /// Knows the solve times of the records of `earlier`.
  explicit CostModel(const results::Document& earlier);

  bool empty() const { return known_.empty(); }  ///< whether it knows no earlier times

  /// Estimated seconds of one solve. \param entries stored entries of the problem's matrices.
  double solve_time(const std::string& sha256, const std::string& solver, Index entries) const;

  /// Estimated seconds of a whole pair: its process, the solve, and the repetitions of a short one.
  double pair_time(const std::string& sha256, const std::string& solver, Index entries,
                   const results::SolveSettings& options) const;

 private:
  std::map<std::pair<std::string, std::string>, double> known_;  // by SHA-256 and solver
};

/// Which of the problems and pairs that a user names are wanted.
struct PlanOptions {
  std::optional<int> dimension;         ///< only 2D or only 3D problems
  std::optional<Index> max_contacts;    ///< only problems with at most so many contacts
  std::optional<results::Shard> shard;  ///< only this part of the pairs
  bool sequence = false;                ///< problems start from the answer to the one before them
  results::SolveSettings measure;       ///< for the estimates
  int rounds = 1;                       ///< for the estimates: how often every pair is measured
  CostModel costs;                      ///< empty: estimates from sizes alone
};

/// A problem to be solved, and by whom.
struct ProblemPlan {
  ProblemSource source;                   ///< file and id
  std::string sha256;                     ///< empty if the plan had no need of it
  std::size_t position = 0;               ///< in Plan::files
  std::map<std::size_t, double> solvers;  ///< position of each solver -> estimated s of the pair
  std::string sequence;                   ///< whose time step it is (SequencePlace); empty if none
  std::optional<std::size_t> previous;  ///< in Plan::files: the problem whose answer it starts from

  /// Whether all of its solvers use the global form alone. \param all the solvers of the plan.
  bool needs_no_W(const std::vector<ConfiguredSolver>& all) const;
};

/// Problems in the order of the arguments, without files that cannot be read and files left out by
/// dimension or size.
struct Plan {
  /// Every problem and every unreadable file, of all shards: equal for shards that belong together.
  std::vector<results::PlannedProblem> files;
  std::vector<ProblemPlan> problems;                      ///< those with pairs in this shard
  std::map<std::size_t, results::Unreadable> unreadable;  ///< by position in `files`
  std::size_t left_out = 0;                               ///< files, by dimension or size
  std::optional<results::Shard> shard;       ///< the part that this plan is; empty: all pairs
  bool sequence = false;                     ///< whether there can be ProblemPlan::previous
  std::optional<ComplianceRule> compliance;  ///< of every problem, instead of its own

  std::size_t pairs() const;      ///< in this shard
  double estimated_time() const;  ///< s of all pairs, one after the other

  /// For every problem, the position in `problems` of the one that it starts from the answer of.
  std::vector<std::optional<std::size_t>> previous_problems() const;
};

/// Reads the sizes of every file, not its matrices; files are hashed only for a shard or a cost
/// model that knows earlier times.
/// With a shard, pairs are distributed by estimated time, longest first, each to the shard with the
/// least work so far (longest processing time first: at most 4/3 of the best makespan, Graham
/// 1969).
/// With sequences, a solver's pairs that start from one another's answers stay together.
Plan make_plan(const std::vector<ProblemSource>& sources,
               const std::vector<ConfiguredSolver>& solvers, const PlanOptions& options);

/// A pair that a run would record as `refused`, and why.
struct Refusal {
  std::string problem;  ///< ProblemSource::id
  std::string solver;   ///< ConfiguredSolver::id
  std::string reason;   ///< one line
};

/// What a run of the plan would refuse without starting a solver. Reads and reduces every problem;
/// one that proves unusable only then becomes unreadable in `plan`, as it would in a run.
std::vector<Refusal> find_refusals(Plan& plan, const std::vector<ConfiguredSolver>& solvers);

}  // namespace frictionbench::bench
