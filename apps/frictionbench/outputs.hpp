/// \file
/// Outputs of a command, checked before it works for hours.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace frictionbench::app {

/// Refuses files that exist already unless `force` is given, files that are also read, files that
/// are named twice, and files that cannot be written. `-`, standard output, can always be written,
/// once.
class OutputCheck {
 public:
  /// \param inputs files that the command reads.
  OutputCheck(bool force, std::vector<std::string> inputs)
      : force_(force), inputs_(std::move(inputs)) {}

  /// Does nothing for an empty path. \throws std::invalid_argument naming the file and the reason.
  void add(const std::string& path);

  /// Where text for people goes: standard error if an output takes standard output.
  std::FILE* text_stream() const;

 private:
  bool force_;
  std::vector<std::string> inputs_;
  std::vector<std::string> outputs_;
};

/// Where a command keeps the answers of the results file that it writes: "results.json" ->
/// "results.impulses.h5", and "results.new" -> "results.new.impulses.h5".
std::string impulses_path(const std::string& results);

}  // namespace frictionbench::app
