/// \file
/// How a results document was made: the program, the machine, the plan, and the runs that it was put
/// together from.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frictionbench/results/document/run_settings.hpp"

namespace frictionbench::results {

/// A problem of the whole plan, whether this document has records of it or not.
struct PlannedProblem {
  std::string id;      ///< ProblemEntry::id
  std::string path;    ///< as given
  std::string sha256;  ///< empty if the file could not be read

  bool operator==(const PlannedProblem&) const = default;
};

/// Versions of the libraries that numbers depend on; empty if unknown.
struct Libraries {
  /// That of the BLAS with the kernel that it chose for this processor. @{
  std::string eigen, cholmod, blas, hdf5;  /// @}

  bool operator==(const Libraries&) const = default;
};

/// How the program was built.
struct Build {
  std::string compiler,  ///< name and version
      flags,             ///< of the compiler
      type;              ///< of CMake
  Libraries libraries;   ///< that the program was built with

  bool operator==(const Build&) const = default;
};

/// The machine; empty or absent where unknown.
struct Host {
  std::string cpu;                                    ///< processor model
  std::optional<int> cores;                           ///< logical processors
  std::optional<std::int64_t> memory;                 ///< bytes
  std::string kernel;                                 ///< of the operating system, with its release
  std::string governor;                               ///< of the CPU frequency
  std::optional<std::array<double, 3>> load_average;  ///< over 1, 5 and 15 minutes, at the start
};

/// How one shard of a merged run was made.
struct ShardRun {
  Shard shard;                       ///< its place among the shards
  std::vector<std::string> command;  ///< the command line, one argument per item
  /// UTC, ISO 8601. @{
  std::string started, finished;      /// @}
  Host host;                          ///< that it ran on
  std::vector<std::string> warnings;  ///< what makes its numbers less trustworthy, a line each
};

/// How a part of a joined document was made.
struct JoinedRun {
  std::vector<std::string> command;  ///< the command line, one argument per item
  /// UTC, ISO 8601. @{
  std::string started, finished;      /// @}
  std::string version;                ///< of frictionbench; empty where an earlier one joined
  std::string git_revision;           ///< empty outside a git checkout
  std::optional<Build> build;         ///< how the program was built; absent as `version` is empty
  Host host;                          ///< that it ran on
  std::vector<std::string> warnings;  ///< what makes its numbers less trustworthy, a line each
  std::vector<std::string> solvers;   ///< SolverEntry::id of those that it ran
};

/// The file of kept answers (AnswersFile).
struct KeptImpulses {
  std::string file;    ///< its name, beside the document
  std::string sha256;  ///< of the file
};

/// What the solvers of a document that was judged again were asked for.
struct Asked {
  Criterion criterion = Criterion::ncp;  ///< JudgeSettings::criterion
  Scale scale = Scale::relative;         ///< JudgeSettings::scale
  double tolerance = 1e-6;               ///< JudgeSettings::tolerance
};

/// How the document was made.
struct RunInfo : RunSettings {
  std::vector<std::string> command;  ///< the command line, one argument per item
  /// UTC, ISO 8601. @{
  std::string started, finished;     /// @}
  std::string version;               ///< of frictionbench
  std::string git_revision;          ///< empty outside a git checkout
  std::optional<bool> git_dirty;     ///< absent outside a git checkout
  std::optional<Shard> shard;        ///< the part of the plan that this is; absent for all of it
  std::vector<PlannedProblem> plan;  ///< of a shard: every problem of the whole run, in its order
  std::vector<ShardRun> shards;      ///< of a merged run
  std::vector<JoinedRun> joined;     ///< of a joined document, or one that was added to
  std::optional<KeptImpulses> impulses;  ///< absent if answers were not kept
  std::optional<Asked> asked;            ///< absent unless it was judged again
  Build build;                           ///< how the program was built
  Host host;                             ///< that it ran on
  std::vector<std::string> warnings;     ///< what makes its numbers less trustworthy, a line each
};

}  // namespace frictionbench::results
