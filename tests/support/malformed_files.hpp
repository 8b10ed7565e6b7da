/// \file
/// Malformed FCLIB files, made from valid ones by breaking one thing.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace frictionbench::test {

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
