/// \file
/// Output that appears complete or not at all.
#pragma once

#include <string>
#include <string_view>

#include "frictionbench/base/file_error.hpp"

namespace frictionbench {

/// What to do with a file that already exists.
enum class Existing { replace, refuse };

/// A file that appears under its name once it is complete and on the disk: it is written under a
/// temporary name in the same folder, flushed (fsync) and renamed. Readers see
/// the old file or the complete new one. A file that is replaced passes on its permissions, and a
/// symbolic link stays a link: the file that it leads to is replaced.
///
/// The path `-` is standard output. It, devices and named pipes are written to directly.
class AtomicFile {
 public:
  /// \throws FileError naming the file and the reason, here and below: the folder is not writable,
  ///         the disk is full, or the file exists and `existing` is `refuse`.
  explicit AtomicFile(std::string path, Existing existing = Existing::replace);
  /// Without commit(), removes what was written.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);  ///< adds to the end, buffered
  /// Completes the file. To be called once, last.
  void commit();

 private:
  [[noreturn]] void fail(int error) const;
  void flush();

  std::string path_;       // as given, for error lines
  std::string target_;     // after following links
  std::string temporary_;  // empty where the target is written to directly
  std::string buffer_;
  Existing existing_;
  int descriptor_ = -1;
};

/// Writes a whole file through AtomicFile. \throws FileError
void write_file(const std::string& path, std::string_view bytes,
                Existing existing = Existing::replace);

/// Whether a path given for an output means standard output.
inline bool is_standard_output(std::string_view path) { return path == "-"; }

}  // namespace frictionbench
