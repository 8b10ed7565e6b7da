/// \file
/// From what a user names (files, folders, lists) to the problems of a run.
#pragma once

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
/// folder (blank lines and lines that start with # are skipped). Files are sorted within a folder;
/// a file named twice is taken once. If two files would have the same id, names of their folders
/// are prepended until they differ. \param filter regular expression (ECMAScript) that an id must
/// contain a match of; empty for all. \throws SelectionError.
std::vector<ProblemSource> find_problems(const std::vector<std::string>& arguments,
                                         const std::string& filter = "");

/// The only problem of an argument.
/// \param otherwise what is wrong with an argument that has more, or none: "judge takes one file".
/// \throws SelectionError naming the argument.
ProblemSource find_problem(const std::string& argument, const std::string& otherwise);

/// A problem that was read from `path` as a run solves it: with its local form made, and with the
/// compliance that the run gives it, if any.
/// \throws FileError if only this shows that the problem cannot be used.
ContactProblem prepared(const ContactProblem& problem, const std::string& path,
                        const std::optional<ComplianceRule>& compliance);

}  // namespace frictionbench::bench
