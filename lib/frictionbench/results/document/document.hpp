/// \file
/// The results document, version 2: what a run leaves behind, and what scripts and CI read.
/// Names, units and meanings are those of results/results.schema.json.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frictionbench/criteria/verdict.hpp"
#include "frictionbench/linalg/work_counters.hpp"
#include "frictionbench/results/document/run_settings.hpp"
#include "frictionbench/results/document/statistics.hpp"
#include "frictionbench/solver/settings.hpp"
#include "frictionbench/solver/solver.hpp"

namespace frictionbench::results {

inline constexpr const char* schema_name = "frictionbench-results";
inline constexpr int schema_version = 2;

/// A problem of the whole plan, whether this document has records of it or not.
struct PlannedProblem {
  std::string id;      ///< ProblemEntry::id
  std::string path;    ///< as given
  std::string sha256;  ///< empty if the file could not be read

  bool operator==(const PlannedProblem&) const = default;
};

/// Versions of the libraries that numbers depend on; empty if unknown.
struct Libraries {
  std::string eigen, cholmod, blas, hdf5;

  bool operator==(const Libraries&) const = default;
};

struct Build {
  std::string compiler, flags, type;
  Libraries libraries;

  bool operator==(const Build&) const = default;
};

/// The machine; empty or absent where unknown.
struct Host {
  std::string cpu;  ///< processor model
  std::optional<int> cores;
  std::optional<std::int64_t> memory;  ///< bytes
  std::string kernel;
  std::string governor;                               ///< of the CPU frequency
  std::optional<std::array<double, 3>> load_average;  ///< over 1, 5 and 15 minutes, at the start
};

/// How one shard of a merged run was made.
struct ShardRun {
  Shard shard;
  std::vector<std::string> command;
  std::string started, finished;
  Host host;
  std::vector<std::string> warnings;
};

/// How the document was made.
struct RunInfo : RunSettings {
  std::vector<std::string> command;
  std::string started, finished;  ///< UTC, ISO 8601
  std::string version;            ///< of frictionbench
  std::string git_revision;       ///< empty outside a git checkout
  std::optional<bool> git_dirty;  ///< absent outside a git checkout
  int seed = 0;
  std::optional<Shard> shard;        ///< the part of the plan that this is; absent for all of it
  std::vector<PlannedProblem> plan;  ///< of a shard: every problem of the whole run, in its order
  std::vector<ShardRun> shards;      ///< of a merged run
  Build build;
  Host host;
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
                                    ///< asked for, or if the problem is too large
};

struct SolverEntry {
  std::string id;    ///< canonical text of the solver with its settings
  std::string name;  ///< registered name
  ContactModel model = ContactModel::ncp;
  std::optional<bool> exact;  ///< SolverInfo::exact; absent in documents of version 1
  std::map<std::string, SettingValue> settings;
};

/// Whether the impulse solves the problem of one model at the run's tolerance, at each scale.
struct SolvedAt {
  bool absolute = false, scaled = false;
};

struct Solved {
  SolvedAt ncp, ccp, lcp;

  /// \param model the solver's own, which `native` stands for.
  bool under(Criterion criterion, Scale scale, ContactModel model) const;
};
Solved solved_under_all(const Verdict& verdict, double tolerance);

/// What the processor counted during the first solve, in user space; absent where the kernel does
/// not allow it.
struct HardwareCounts {
  std::optional<std::int64_t> instructions;
  std::optional<std::int64_t> cycles;
};

struct RecordTime {
  double read = 0;                     ///< s, file to problem in memory, once per problem
  double assembly = 0;                 ///< s, reduction global -> local, once per problem
  std::optional<double> setup;         ///< s, part of solve before the first iteration, median
  std::optional<SampleSummary> solve;  ///< s, problem in memory to impulse
  int concurrent_pairs = 0;            ///< most other pairs that ran at the same time
};

/// One (problem, solver) pair.
struct Record {
  std::string problem;  ///< ProblemEntry::id
  std::string solver;   ///< SolverEntry::id
  Start start = Start::zero;
  std::string previous;  ///< ProblemEntry::id of the problem whose answer it started from, or empty
  Status status = Status::error;
  std::string message;
  StopReason stop_reason = StopReason::none;
  std::string stage;  ///< the part of the method that ended the solve; empty if it has no parts
  std::optional<Verdict> verdict;          ///< absent if there is no impulse to judge
  Solved solved;                           ///< all false without a verdict
  std::map<std::string, double> reported;  ///< what the solver itself measured at exit, by name
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

  /// \throws std::invalid_argument for an unknown id.
  const SolverEntry& solver(const std::string& id) const;
  /// Whether the record is solved under the run's criterion.
  bool solved(const Record& record) const;
};

}  // namespace frictionbench::results
