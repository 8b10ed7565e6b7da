/// \file
/// From what a user names (files, folders, lists) to the problems of a run.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "frictionbench/problem/compliance_rule.hpp"

namespace frictionbench::bench {

/// A problem file, found but not read.
struct ProblemSource {
  std::string id;      ///< unique in a run: "<family>/<file name without extension>"
  std::string path;    ///< as given, or as found below the folder given
  std::string family;  ///< name of the folder that the file is in
};

/// Thrown for missing files or folders, unreadable lists (of solvers, too), and invalid regular
/// expressions.
class SelectionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Expands every argument: a file is taken as it is, a folder stands for all *.hdf5 and *.h5 files
/// below it, `@LIST` for the arguments in the text file LIST, one per line, relative to the list's
/// folder (blank lines and lines that start with # are skipped). Where no file has that name, a data
/// set may (datasets/registry.hpp): `fclib/Local/siconos/Chain` stands for its files that are on this
/// machine. Files are sorted within a folder;
/// a file named twice is taken once. If two files would have the same id, names of their folders
/// are prepended until they differ. \param filter regular expression (ECMAScript) that an id must
/// contain a match of; empty for all. \param note is given a line for every data set of which only a
/// part is here. \throws SelectionError, also for data sets that are not here: it says how to get them.
std::vector<ProblemSource> find_problems(const std::vector<std::string>& arguments,
                                         const std::string& filter = "",
                                         const std::function<void(const std::string&)>& note = {});

/// The only problem of an argument.
/// \param otherwise what is wrong with an argument that has more, or none: "judge takes one file".
/// \throws SelectionError naming the argument.
ProblemSource find_problem(const std::string& argument, const std::string& otherwise);

/// A problem that was read from `path` as a run solves it: with its local form made, and with the
/// compliance that the run gives it, if any.
/// \param without_W whether to hand out a global problem without_W() instead.
/// \throws FileError if only this shows that the problem cannot be used.
ContactProblem prepared(const ContactProblem& problem, const std::string& path,
                        const std::optional<ComplianceRule>& compliance, bool without_W = false);

}  // namespace frictionbench::bench
