/// \file
/// A file while it is being received.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "frictionbench/base/file_error.hpp"

namespace frictionbench::fetch {

/// PATH.part, locked for this process. What was received stays when it is closed, for the next attempt;
/// an empty one is removed.
class PartFile {
 public:
  /// Opens or creates the part of a file. \returns null if another process has locked it.
  /// \throws FileError, here and below, if the disk cannot be written.
  static std::unique_ptr<PartFile> open(const std::string& target);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  std::uint64_t size() const { return size_; }
  void append(std::string_view bytes);
  void clear();  ///< throws away what was received
  std::string sha256() const;
  /// Flushes the part to the disk and gives it the name of the file, replacing one that is there.
  void finish();

 private:
  PartFile(std::string target, int descriptor, std::uint64_t size);
  [[noreturn]] void fail(int error) const;

  std::string target_, path_;
  int descriptor_;
  std::uint64_t size_;
  bool finished_ = false;
};

}  // namespace frictionbench::fetch
