#include "frictionbench/fclib/internal/file_open.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

#include "frictionbench/fclib/internal/text.hpp"

namespace frictionbench::fclib {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// Size of the file in bytes, once it is sure that there is one.
std::uint64_t size_of_file(const std::string& path, const std::string& name) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0)
    throw FileError(name, "", errno == ENOENT ? "no such file" : std::strerror(errno));
  if (S_ISDIR(status.st_mode)) throw FileError(name, "", "is a folder, expected a file");
  // To open a pipe would wait for a writer.
  if (!S_ISREG(status.st_mode)) throw FileError(name, "", "is not a regular file");
  return static_cast<std::uint64_t>(status.st_size);
}

/// Why HDF5 did not open a file, found by looking at it.
[[noreturn]] void fail_to_open(const std::string& path, const std::string& name,
                               std::uint64_t bytes, const std::string& said) {
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
  if (!file) throw FileError(name, "", fmt::format("cannot be read: {}", std::strerror(errno)));
  char start[32] = {};
  const std::string_view head(start, std::fread(start, 1, sizeof start, file.get()));

  if (head.empty()) throw FileError(name, "", "is empty, expected an HDF5 file");
  if (head.starts_with("version https://git-lfs"))
    throw FileError(name, "", "this is a Git LFS pointer, run git lfs pull");
  if (H5Fis_hdf5(path.c_str()) <= 0) throw FileError(name, "", "not an HDF5 file");

  const std::string_view key = "stored_eof = ";
  if (const auto at = said.find(key); at != std::string::npos)
    throw FileError(name, "",
                    fmt::format("truncated HDF5 file: {} bytes, its header expects {}", bytes,
                                said.substr(at + key.size())));
  throw FileError(name, "", fmt::format("truncated or damaged HDF5 file ({})", said));
}

HdfHandle open_file(const std::string& path, const std::string& name, std::uint64_t bytes) {
  // Every dataset is read at once and whole: a buffer for pieces of it only costs a copy.
  const HdfHandle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_sieve_buf_size(access.get(), 0);
  HdfHandle id(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
  if (!id) fail_to_open(path, name, bytes, hdf_reason());
  return id;
}

HdfGroup open_root(hid_t file, const std::string& name, std::uint64_t bytes) {
  HdfHandle id(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose);
  if (!id)
    throw FileError(name, "", fmt::format("truncated or damaged HDF5 file ({})", hdf_reason()));
  return {std::move(id), HdfPlace{&name, bytes, ""}};
}

}  // namespace

HdfFile::HdfFile(const std::string& path)
    : name_(one_line(path)),
      bytes_(size_of_file(path, name_)),
      id_(open_file(path, name_, bytes_)),
      root_(open_root(id_.get(), name_, bytes_)) {}

}  // namespace frictionbench::fclib
