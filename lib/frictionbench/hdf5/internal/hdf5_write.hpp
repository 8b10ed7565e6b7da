/// \file
/// The part of HDF5 that writing files needs, every failure a FileError.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "frictionbench/hdf5/internal/hdf5.hpp"
#include "frictionbench/math/types.hpp"

namespace frictionbench {

/// How a dataset is compressed: by shuffle and deflate, which every HDF5 reads, of any level from 1 to
/// 9, or not at all.
enum class Packing { none = 0, deflate = 6 };

/// An HDF5 file in memory, open for changes. A full disk is then met by plain file output, which
/// reports it, and not by HDF5, which keeps a file that it cannot flush open for ever.
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
  std::string bytes() const;

 private:
  HdfScope scope_;
  std::string name_;
  HdfHandle id_;
  HdfGroup root_;
};

/// New objects in `group`, in the shape that the reference library gives them.
HdfGroup create_group(const HdfGroup& group, const char* name);
void write_integer(const HdfGroup& group, const char* name, int value);
void write_integers(const HdfGroup& group, const char* name, std::span<const int> values,
                    Packing packing = Packing::none);
void write_reals(const HdfGroup& group, const char* name, std::span<const double> values,
                 Packing packing = Packing::none);
/// Two extents, rows first.
void write_matrix(const HdfGroup& group, const char* name, const Matrix& matrix);
void write_text(const HdfGroup& group, const char* name, const std::string& text);

}  // namespace frictionbench
