/// \file
/// Lists that a user gives as `@FILE`.
#pragma once

#include <string>
#include <vector>

namespace frictionbench::bench {

/// The entries of a text file, one per line: blank lines and lines that start with # are skipped.
/// \param what they are, for messages. \throws SelectionError if the file cannot be read, or an entry
/// is a list itself.
std::vector<std::string> lines_of_list(const std::string& path, const std::string& what);

}  // namespace frictionbench::bench
