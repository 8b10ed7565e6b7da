/// \file
/// Valid FCLIB files, and malformed ones made from them by breaking one thing.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "frictionbench/fclib/problem_file.hpp"

namespace frictionbench::test {

/// A small local problem of three contacts, with info, a solution and two guesses. Its W is sparse
/// and not quite symmetric, as in real files.
fclib::ProblemFile good_local_file(int dimension = 3, bool bilateral = false);

/// The same in global form, with seven degrees of freedom.
fclib::ProblemFile good_global_file(int dimension = 3, bool bilateral = false);

/// The same with a compliance of its contacts.
fclib::ProblemFile compliant(fclib::ProblemFile file);

struct MalformedFile {
  std::string name;                              ///< file name, with extension
  std::function<void(const std::string&)> make;  ///< writes the file to a path, or no file at all
  std::vector<std::string> expected;             ///< what the error line must contain
};

/// One entry for each way to be unusable; the first expected text names the dataset, if any.
std::vector<MalformedFile> malformed_files();

/// Valid problems whose solution or guess has an unusable vector; `expected` is the content of
/// State::misfits.
std::vector<MalformedFile> files_with_unfit_states();

}  // namespace frictionbench::test
