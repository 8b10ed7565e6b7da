/// \file
/// Git LFS: pointers, and the batch API that tells where the files are
/// (https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md and docs/api/batch.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace frictionbench::fetch {

/// What a repository has in the place of a large file.
struct LfsPointer {
  std::string sha256;       ///< of the file
  std::uint64_t bytes = 0;  ///< of the file
};

inline constexpr const char* lfs_pointer_start = "version https://git-lfs.github.com/spec/v1";
inline constexpr std::size_t longest_lfs_pointer = 1024;  ///< bytes; the specification's limit

/// Reads a pointer; nothing for any other text.
std::optional<LfsPointer> read_lfs_pointer(const std::string& text);

/// What a batch address is asked for one file; the type of it and of the answer is lfs_media_type.
std::string lfs_request(const LfsPointer& file);
inline constexpr const char* lfs_media_type = "application/vnd.git-lfs+json";

/// Where a file is, for a short time.
struct LfsPlace {
  std::string address;
  std::vector<std::pair<std::string, std::string>> headers = {};  ///< to be sent, by name
};

/// Reads the answer to a request for one file.
/// \throws std::invalid_argument with what is wrong with it, or what the server says is wrong.
LfsPlace read_lfs_answer(const std::string& text);

}  // namespace frictionbench::fetch
