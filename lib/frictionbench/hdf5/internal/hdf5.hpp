/// \file
/// The part of HDF5 that reading files needs, every failure a FileError.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frictionbench/base/file_error.hpp"
#include "frictionbench/math/types.hpp"

namespace frictionbench {

/// While it lives, this thread alone uses HDF5 (whose usual build is not thread-safe) and HDF5
/// prints nothing. Nests.
class HdfScope {
 public:
  HdfScope();
  ~HdfScope();
  HdfScope(const HdfScope&) = delete;
  HdfScope& operator=(const HdfScope&) = delete;

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* print_data_ = nullptr;
};

/// HDF5's last error message, its most specific line; empty if there was none. Ask before the next
/// HDF5 call.
std::string hdf_reason();

/// Owns an HDF5 identifier.
class HdfHandle {
 public:
  using Close = herr_t (*)(hid_t);

  HdfHandle() = default;
  HdfHandle(hid_t id, Close close) : id_(id), close_(close) {}
  ~HdfHandle() { reset(); }
  HdfHandle(HdfHandle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  HdfHandle& operator=(HdfHandle&& other) noexcept {
    if (this != &other) {
      reset();
      id_ = std::exchange(other.id_, H5I_INVALID_HID);
      close_ = other.close_;
    }
    return *this;
  }

  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  void reset() {
    if (const hid_t id = std::exchange(id_, H5I_INVALID_HID); id >= 0) close_(id);
  }

  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

/// Where an object is: what an error line must say.
struct HdfPlace {
  const std::string* file;  ///< name of the file, as the caller gave it
  std::uint64_t bytes;      ///< its size, which bounds what a sane dataset can declare
  std::string path;         ///< full path inside the file, "" for the root

  HdfPlace child(std::string_view name) const;
  [[noreturn]] void fail(const std::string& reason) const;
};

/// A dataset that is open for reading. Its declared size is checked against the size of the file,
/// so that memory for size() values may be allocated without fear.
class HdfDataset {
 public:
  /// \throws FileError if there is no such dataset or it is damaged.
  HdfDataset(hid_t parent, std::string_view name, HdfPlace place);

  const HdfPlace& place() const { return place_; }
  Index size() const { return size_; }

  /// \throws FileError if size() is not `expected`; `meaning` says where that number comes from.
  void expect_size(Index expected, std::string_view meaning) const;

  /// Reads all values; `out` has size() elements. Integers of any width are read if they fit an
  /// int, real numbers of any width and integers as double.
  void read(std::span<int> out) const;
  void read(std::span<double> out) const;

  /// A single string of fixed or variable length, as valid UTF-8.
  std::string text() const;
  /// Real numbers of two extents, rows first.
  Matrix matrix() const;

 private:
  void expect_reals() const;
  void expect_vector(std::string_view wanted) const;
  void read_raw(hid_t memory_type, void* out) const;
  std::string describe() const;

  HdfPlace place_;
  HdfHandle id_;
  HdfHandle type_;
  H5T_class_t class_ = H5T_NO_CLASS;
  std::vector<hsize_t> extents_;
  Index size_ = 0;
};

/// A group that is open for reading.
class HdfGroup {
 public:
  HdfGroup(HdfHandle id, HdfPlace place) : id_(std::move(id)), place_(std::move(place)) {}

  const HdfPlace& place() const { return place_; }
  hid_t id() const { return id_.get(); }

  /// Is there a link of this name, whatever it leads to?
  bool has(const char* name) const;
  /// Is it there, and a group?
  bool has_group(const char* name) const;
  /// Names of all links, sorted.
  std::vector<std::string> names() const;

  /// \throws FileError if it is missing or not a group.
  HdfGroup group(const char* name) const;
  HdfDataset dataset(const char* name) const;

  /// A single integer, scalar or {1}.
  int integer(const char* name) const;
  /// A vector of real numbers of any length.
  Vector reals(const char* name) const;
  /// A string.
  std::string text(const char* name) const;

 private:
  HdfHandle id_;
  HdfPlace place_;
};

/// The content of a regular file. \throws FileError
std::vector<std::byte> read_bytes(const std::string& path);

/// For opening `bytes` as a file in memory, which keeps a copy of them.
HdfHandle memory_access(std::span<const std::byte> bytes = {});
/// A new name: HDF5 takes two files in memory of one name for one file.
std::string memory_name();

/// An HDF5 file, open for reading, with its root group.
/// \throws FileError if it is missing, unreadable, a Git LFS pointer, not HDF5 or truncated.
class HdfFile {
 public:
  /// Reads from the disk what is asked for.
  explicit HdfFile(const std::string& path);
  /// Reads from the content of the file. \param path its name, for error lines.
  HdfFile(const std::string& path, std::vector<std::byte> content);
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

}  // namespace frictionbench
