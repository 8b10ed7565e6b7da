/// \file
/// Opens FCLIB files and says what is wrong with those that are none. Internal to the fclib layer.
#pragma once

#include <cstdint>
#include <string>

#include "frictionbench/fclib/internal/hdf5.hpp"

namespace frictionbench::fclib {

/// An HDF5 file, open for reading, with its root group.
class HdfFile {
 public:
  /// \throws FileError if it is not there, not readable, a Git LFS pointer, not HDF5 or truncated.
  explicit HdfFile(const std::string& path);
  HdfFile(const HdfFile&) = delete;
  HdfFile& operator=(const HdfFile&) = delete;

  const HdfGroup& root() const { return root_; }

 private:
  HdfScope scope_;
  std::string name_;  ///< the path, on one line
  std::uint64_t bytes_;
  HdfHandle id_;
  HdfGroup root_;
};

}  // namespace frictionbench::fclib
