/// \file
/// Malformed files that HDF5 itself cannot read: missing, of another format, truncated or damaged.
#pragma once

#include "support/malformed_files.hpp"

namespace frictionbench::test {

/// Part of malformed_files().
std::vector<MalformedFile> unreadable_files();

}  // namespace frictionbench::test
