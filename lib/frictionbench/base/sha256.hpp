/// \file
/// The identity of a file: manifests and results name problems by it.
#pragma once

#include <string>

#include "frictionbench/fclib/errors.hpp"

namespace frictionbench::fclib {

/// SHA-256 of a file's bytes, as 64 lower-case hexadecimal digits (what `sha256sum` prints).
/// \throws FileError if the file cannot be read.
std::string sha256_of_file(const std::string& path);

}  // namespace frictionbench::fclib
