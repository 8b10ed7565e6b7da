/// \file
#pragma once

#include <stdexcept>
#include <string>

namespace frictionbench {

/// A file that cannot be read, written or used. what() is one line: file, place in it, reason.
class FileError : public std::runtime_error {
 public:
  /// \param place in the file, e.g. a line or dataset; empty if the whole file is meant.
  FileError(const std::string& path, const std::string& place, const std::string& reason)
      : std::runtime_error(path + ": " + (place.empty() ? "" : place + ": ") + reason) {}
};

}  // namespace frictionbench
