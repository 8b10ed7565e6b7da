/// \file
/// What a command is about to write is checked before it works for hours.
#pragma once

#include <string>
#include <vector>

namespace frictionbench::app {

/// Refuses files that exist already unless `force` is given, files that are also read, files that
/// are named twice, and files that cannot be written.
class OutputCheck {
 public:
  /// \param inputs files that the command reads.
  OutputCheck(bool force, std::vector<std::string> inputs)
      : force_(force), inputs_(std::move(inputs)) {}

  /// Does nothing for an empty path. \throws std::invalid_argument naming the file and the reason.
  void add(const std::string& path);

 private:
  bool force_;
  std::vector<std::string> inputs_;
  std::vector<std::string> outputs_;
};

}  // namespace frictionbench::app
