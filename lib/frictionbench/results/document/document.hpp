/// \file
/// The results document, version 1: what a run leaves behind, and what scripts and CI read.
/// Names and units are those of results/results.schema.json.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "frictionbench/criteria/verdict.hpp"
#include "frictionbench/linalg/work_counters.hpp"
#include "frictionbench/results/document/run_settings.hpp"
#include "frictionbench/results/document/shard.hpp"
#include "frictionbench/results/document/statistics.hpp"
#include "frictionbench/solver/solver.hpp"

namespace frictionbench::results {

inline constexpr const char* schema_name = "frictionbench-results";
inline constexpr int schema_version = 1;

/// A problem of the whole plan, whether this document has records of it or not.
struct PlannedProblem {
  std::string id;      ///< ProblemEntry::id
  std::string path;    ///< as given
  std::string sha256;  ///< empty if the file could not be read

  bool operator==(const PlannedProblem&) const = default;
};

/// How the document was made.
struct RunInfo : RunSettings {
  std::vector<std::string> command;
  std::string started, finished;  ///< UTC, ISO 8601
  std::string version;            ///< of frictionbench
  std::string git_revision;       ///< empty outside a git checkout
  bool git_dirty = false;

  int seed = 0;
  std::optional<Shard> shard;        ///< the part of the plan that this is; absent for all of it
  std::vector<PlannedProblem> plan;  ///< of a shard: every problem of the whole run, in its order
  nlohmann::json shards;  ///< of merged shards: shard, command, started, finished, host, warnings
                          ///< of each; null for a run that was not sharded

  nlohmann::json build;  ///< compiler, flags, type, libraries
  nlohmann::json host;   ///< cpu, cores, memory, kernel, governor, load_average
  std::vector<std::string> warnings;
};

struct ProblemEntry {
  std::string id;    ///< "<family>/<file name without extension>"
  std::string path;  ///< as given
  std::string sha256;
  std::string family;  ///< the folder that the file is in
  ProblemForm form = ProblemForm::local;
  int dimension = 3;
  Index contacts = 0;
  Index unknowns = 0;
  std::optional<Index> dofs;  ///< n; absent for local problems
  Index nonzeros = 0;         ///< of W
  double asymmetry = 0;       ///< ||W - W^T|| / ||W||
  double mu_min = 0, mu_max = 0;
  Index bilateral = 0;              ///< rows
  std::optional<double> condition;  ///< of the symmetric part of W on its range; absent if not
                                    ///< asked for, or too large a problem to tell
};

struct SolverEntry {
  std::string id;    ///< canonical text of the solver with its settings
  std::string name;  ///< registered name
  ContactModel model = ContactModel::ncp;
  nlohmann::json settings;
};

/// Which criteria the impulse satisfies at the run's tolerance.
struct Solved {
  bool ncp = false, ncp_scaled = false, ccp = false, ccp_scaled = false, lcp = false;

  /// `native` is the criterion of `model`.
  bool under(Criterion criterion, ContactModel model) const;
};
Solved solved_under_all(const Verdict& verdict, double tolerance);

/// What the processor counted during the first solve, in user space; absent where the kernel does
/// not allow it.
struct HardwareCounts {
  std::optional<std::int64_t> instructions;
  std::optional<std::int64_t> cycles;
};

struct RecordTime {
  double read = 0;                     ///< s, file to problem in memory, once a problem
  double assembly = 0;                 ///< s, reduction global -> local, once a problem
  std::optional<double> setup;         ///< s, part of solve before the first iteration, median
  std::optional<SampleSummary> solve;  ///< s, problem in memory to impulse
  int beside = 0;                      ///< most other pairs that ran at the same time
};

/// One (problem, solver) pair.
struct Record {
  std::string problem;  ///< ProblemEntry::id
  std::string solver;   ///< SolverEntry::id
  Start start = Start::zero;
  std::string previous;  ///< ProblemEntry::id of the problem whose answer it started from, or empty
  Status status = Status::error;
  std::string message;
  std::string fired;
  std::optional<Verdict> verdict;  ///< absent if there is no impulse to judge
  Solved solved;                   ///< all false without a verdict
  std::map<std::string, double> claimed;
  int iterations = 0;
  WorkCounters work;
  HardwareCounts hardware;
  RecordTime time;
  std::optional<std::int64_t> memory_peak;  ///< bytes, of the child process
  std::vector<Iterate> history;             ///< empty if it was not recorded
};

struct Unreadable {
  std::string path;
  std::string reason;
};

struct Document {
  RunInfo run;
  std::vector<ProblemEntry> problems;
  std::vector<SolverEntry> solvers;
  std::vector<Record> records;
  std::vector<Unreadable> unreadable;

  /// \throws std::invalid_argument if there is none of that id.
  const SolverEntry& solver(const std::string& id) const;
  /// Whether the record is solved under the run's criterion.
  bool solved(const Record& record) const;
};

}  // namespace frictionbench::results
