/// \file
/// The results document, version 2: what a run leaves behind, and what scripts and CI read.
/// Names, units and meanings are those of results/results.schema.json.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frictionbench/criteria/verdict.hpp"
#include "frictionbench/linalg/work_counters.hpp"
#include "frictionbench/results/document/run_info.hpp"
#include "frictionbench/results/document/run_settings.hpp"
#include "frictionbench/results/document/statistics.hpp"
#include "frictionbench/solver/settings.hpp"
#include "frictionbench/solver/solver.hpp"

namespace frictionbench::results {

inline constexpr const char* schema_name = "frictionbench-results";  ///< names this kind of file
inline constexpr int schema_version = 2;  ///< that is written; 1 can be read, too

/// A data set that a problem is of (datasets/data_set.hpp).
struct DataSetName {
  std::string name;     ///< "fclib"
  std::string version;  ///< "2024-05-17"

  bool operator==(const DataSetName&) const = default;
};

/// A problem of the plan.
struct ProblemEntry {
  std::string id;                       ///< "<family>/<file name without extension>"
  std::string path;                     ///< as given
  std::string sha256;                   ///< of the file, 64 hex digits
  std::string family;                   ///< the folder that the file is in
  std::optional<DataSetName> data_set;  ///< that has this file, by its SHA-256; absent if none has
  ProblemForm form = ProblemForm::local;  ///< as the file states it
  int dimension = 3;                      ///< of space, 2 or 3
  Index contacts = 0;                     ///< how many
  Index unknowns = 0;                     ///< m, rows of all blocks
  std::optional<Index> dofs;              ///< n; absent for local problems
  Index nonzeros = 0;                     ///< of W
  double asymmetry = 0;                   ///< ||W - W^T|| / ||W||
  double mu_min = 0,                      ///< smallest friction coefficient
      mu_max = 0;                         ///< largest friction coefficient
  Index bilateral = 0;                    ///< rows
  std::string sets =
      {};  ///< blocks by kind, "25 rolling, 2 equality"; empty for friction cones alone
  double compliance_min = 0,  ///< smallest entry of the diagonal of R; 0 for rigid contacts
      compliance_max = 0;     ///< largest
  Index islands = 0;          ///< groups of contacts that do not act on each other; -1 if not known
  std::optional<double> condition;  ///< of the symmetric part of W on its range; absent if not
                                    ///< asked for, or if the problem is too large
};

/// A solver with its settings.
struct SolverEntry {
  std::string id;                          ///< canonical text of the solver with its settings
  std::string name;                        ///< registered name
  ContactModel model = ContactModel::ncp;  ///< the problem that the solver solves
  std::optional<bool> exact;               ///< SolverInfo::exact; absent in documents of version 1
  std::map<std::string, SettingValue> settings;  ///< all of them by name, defaults included
};

/// Whether the impulse solves the problem of one model at the run's tolerance, at each scale.
struct SolvedAt {
  bool relative = false,           ///< residuals as velocities, over that of the contact's island
      absolute = false,            ///< residuals in the units of the file
      scaled = false;              ///< residuals divided by the problem's own impulse and velocity
  std::optional<bool> force = {};  ///< with impulses divided by the time step, if that is known

  bool at(Scale scale) const;  ///< the member of that name; false where it is absent
};

/// A model that the solver made of the problem by adding a compliance.
struct OwnModel {
  double compliance_min = 0,  ///< smallest entry of the diagonal of R, velocity per impulse
      compliance_max = 0;     ///< largest
  /// Of the solver's model with that R, from the impulse alone; relative to the scales of the problem
  /// as stated.
  ModelResiduals residuals;
  /// How far that is from the problem as stated: the largest ||(R - R_problem) r||_i / U_i
  /// (ContactScales), the velocity that the added compliance makes, as a relative residual.
  double gap = 0;
};

/// Whether the impulse solves the problem of each model, whatever the solver said.
struct Solved {
  SolvedAt ncp,  ///< Coulomb friction
      ccp,       ///< its convex relaxation
      lcp,       ///< Coulomb friction with a pyramid
      native;    ///< the solver's own model, with the compliance that it chose

  bool under(Criterion criterion, Scale scale) const;  ///< the member of that name
};
/// One tolerance for all. \param model the solver's, \param own with the compliance that it chose.
Solved solved_under_all(const Verdict& verdict, ContactModel model,
                        const std::optional<OwnModel>& own, double tolerance);

/// What the processor counted during the first solve, in user space; absent where the kernel does
/// not allow it.
struct HardwareCounts {
  std::optional<std::int64_t> instructions;  ///< retired
  std::optional<std::int64_t> cycles;        ///< of the processor's clock
};

/// What a pair took, by a monotonic clock.
struct RecordTime {
  double read = 0;                     ///< s, file to problem in memory, once per problem
  double assembly = 0;                 ///< s, reduction global -> local, once per problem
  std::optional<double> setup;         ///< s, part of solve before the first iteration, median
  std::optional<SampleSummary> solve;  ///< s, problem in memory to impulse
  /// s, one analysis and Cholesky factorisation of (W + W^T) / 2 plus the mean of its diagonal, in
  /// the same process: a unit of time that travels between machines. Absent if it was not measured.
  std::optional<double> cholesky;
  /// s, median solve time of each round of a run of several rounds, in their order. Empty in a run
  /// of one round and where the first round ended by its time limit or has no time; shorter than
  /// RunSettings::rounds where a later one ended so or did not repeat the first.
  std::vector<double> rounds;
  int concurrent_pairs = 0;  ///< most other pairs that ran at the same time

  /// Median solve time over `cholesky`; absent without both.
  std::optional<double> cholesky_equivalents() const;
};

/// What a solver was asked for in one of several tries (SolveSettings::match_verdict), and what came.
struct Try {
  double tolerance = 0;           ///< that the solver was given
  Status status = Status::error;  ///< as of Record, by a verdict in the solver's process
  double residual = 0;  ///< that the run compares with its tolerance; NaN without a verdict
  int iterations = 0;   ///< as the solver's method counts them
  double time = 0;      ///< s, of one solve
};

/// One (problem, solver) pair.
struct Record {
  std::string problem;        ///< ProblemEntry::id
  std::string solver;         ///< SolverEntry::id
  Start start = Start::zero;  ///< of the solve, its repetitions and its history
  std::string previous;  ///< ProblemEntry::id of the problem whose answer it started from, or empty
  Status status = Status::error;  ///< how the solve ended
  std::string message;            ///< one line for people; empty if there is nothing to say
  StopReason stop_reason = StopReason::none;  ///< the test that ended the solve
  std::string stage;  ///< the part of the method that ended the solve; empty if it has no parts
  std::string impulse_sha256;  ///< of the impulse, to tell answers apart; empty if there is none
  std::optional<Verdict> verdict;           ///< absent if there is no impulse to judge
  std::optional<OwnModel> own_model;        ///< absent if the solver chose no compliance
  Solved solved;                            ///< all false without a verdict
  std::map<std::string, double> reported;   ///< what the solver itself measured at exit, by name
  std::vector<Try> tries;                   ///< empty without SolveSettings::match_verdict
  int iterations = 0;                       ///< as the solver's method counts them
  WorkCounters work;                        ///< of one solve, the same on every machine
  HardwareCounts hardware;                  ///< of the first solve
  RecordTime time;                          ///< by a monotonic clock
  std::optional<std::int64_t> memory_peak;  ///< bytes, of the child process
  std::vector<Iterate> history;             ///< empty if it was not recorded
};

/// The residual that a criterion compares with the tolerance; NaN if it is not known, or without a
/// verdict. \param model the solver's own.
double residual_under(Criterion criterion, Scale scale, ContactModel model, const Record& record);

/// A file that was asked for and could not be used as a problem.
struct Unreadable {
  std::string path;    ///< as given
  std::string reason;  ///< one line for people
};

/// All that a run leaves behind.
struct Document {
  RunInfo run;                         ///< how the document was made
  std::vector<ProblemEntry> problems;  ///< in the order of the plan
  std::vector<SolverEntry> solvers;    ///< in the order of the plan
  std::vector<Record> records;         ///< one for every pair of the plan, whatever happened
  std::vector<Unreadable> unreadable;  ///< none of these has records

  /// \throws std::invalid_argument for an unknown id.
  const SolverEntry& solver(const std::string& id) const;
  /// Whether the record is solved under the run's criterion, and repetitions gave the same answer.
  bool solved(const Record& record) const;
  /// The file of the kept answers, if there is one. \param path of the document, which it is beside.
  std::optional<std::string> impulses_file(const std::string& path) const;
};

}  // namespace frictionbench::results
