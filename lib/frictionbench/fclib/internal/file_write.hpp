/// \file
/// Writes HDF5 files whole or not at all. Internal to the fclib layer.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "frictionbench/fclib/internal/hdf5.hpp"

namespace frictionbench::fclib {

/// An HDF5 file in memory. A full disk then meets plain file output, which can say so, and not the
/// inside of HDF5, which keeps a file that it cannot flush open for ever.
class HdfImage {
 public:
  /// A new file. \param path its name, for error lines.
  explicit HdfImage(const std::string& path);
  /// A file with the content `bytes`, open for changes.
  HdfImage(const std::string& path, std::span<const std::byte> bytes);
  HdfImage(const HdfImage&) = delete;
  HdfImage& operator=(const HdfImage&) = delete;

  const HdfGroup& root() const { return root_; }

  /// The content of the file.
  std::vector<std::byte> bytes() const;

 private:
  HdfScope scope_;
  std::string name_;
  HdfHandle id_;
  HdfGroup root_;
};

/// New objects in `group`, in the shape that the reference library gives them.
HdfGroup create_group(const HdfGroup& group, const char* name);
void write_integer(const HdfGroup& group, const char* name, int value);
void write_integers(const HdfGroup& group, const char* name, std::span<const int> values);
void write_reals(const HdfGroup& group, const char* name, std::span<const double> values);
void write_text(const HdfGroup& group, const char* name, const std::string& text);

/// The content of a file. \throws FileError
std::vector<std::byte> load_file(const std::string& path);

enum class Existing { refuse, replace };

/// Writes `bytes` beside `path` under another name, then renames: whoever looks at `path` sees the
/// old file or the new one, whole. A file that is replaced passes on its permissions.
/// \throws FileError if the disk is full, the folder not writable, or the file there and `refuse`.
void save_file(const std::string& path, std::span<const std::byte> bytes, Existing existing);

}  // namespace frictionbench::fclib
