/// \file
/// SHA-256 of a file, which identifies problems in manifests and results.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "frictionbench/base/file_error.hpp"

namespace frictionbench {

/// SHA-256 of some bytes, as 64 lower-case hexadecimal digits (what `sha256sum` prints).
std::string sha256_of(std::span<const std::byte> bytes);

/// SHA-256 of a file. \throws FileError if the file cannot be read.
std::string sha256_of_file(const std::string& path);

}  // namespace frictionbench
