#include "support/unreadable_files.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "frictionbench/fclib/writer.hpp"
#include "support/example_files.hpp"

namespace frictionbench::test {
namespace {

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

void write_truncated(const std::string& path, double fraction) {
  write_problem(path, good_local_file());
  const auto size = static_cast<double>(std::filesystem::file_size(path));
  std::filesystem::resize_file(path, static_cast<std::uintmax_t>(size * fraction));
}

/// Overwrites the last occurrence of `key`, so that the structure it marks cannot be found.
void write_without_key(const std::string& path, const std::string& key) {
  write_problem(path, good_local_file());
  std::ifstream in(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  bytes.replace(bytes.rfind(key), key.size(), key.size(), 'X');
  write_bytes(path, bytes);
}

}  // namespace

std::vector<MalformedFile> unreadable_files() {
  const std::string lfs = "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n";
  return {
      {"no_such_file.hdf5", [](const std::string&) {}, {"no such file"}},
      {"folder.hdf5",
       [](const std::string& path) { std::filesystem::create_directory(path); },
       {"is a folder"}},
      {"empty.hdf5", [](const std::string& path) { write_bytes(path, ""); }, {"is empty"}},
      {"text.hdf5",
       [](const std::string& path) { write_bytes(path, "n_c = 3\n"); },
       {"not an HDF5 file"}},
      {"git_lfs_pointer.hdf5",
       [=](const std::string& path) { write_bytes(path, lfs); },
       {"Git LFS pointer", "git lfs pull"}},
      {"half.hdf5",
       [](const std::string& path) { write_truncated(path, 0.5); },
       {"truncated HDF5 file", "its header expects"}},
      {"almost_whole.hdf5",
       [](const std::string& path) { write_truncated(path, 0.9999); },
       {"truncated HDF5 file", "its header expects"}},
      {"header_only.hdf5",
       [](const std::string& path) { write_truncated(path, 0.003); },
       {"truncated"}},
      {"damaged_group.hdf5",
       [](const std::string& path) { write_without_key(path, "TREE"); },
       {"damaged"}},
      {"damaged_names.hdf5",
       [](const std::string& path) { write_without_key(path, "HEAP"); },
       {"damaged"}},
  };
}

}  // namespace frictionbench::test
