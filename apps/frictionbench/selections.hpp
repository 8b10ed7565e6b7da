/// \file
/// Data sets by name, as commands take them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "frictionbench/datasets/registry.hpp"

namespace frictionbench::app {

/// The parts of known sets that these names stand for.
/// \throws std::invalid_argument for names that are not known, with the nearest; FileError if a
///         description cannot be read.
std::vector<datasets::Selection> selections(const std::vector<std::string>& names);

/// Names of all known sets, for completions of shells; none where descriptions cannot be read.
std::function<std::vector<std::string>()> set_names();

/// "1 file", "239 files".
std::string files_text(std::size_t count);

/// The number of bytes in all files.
std::uint64_t bytes_of(const std::vector<const datasets::SetFile*>& files);

}  // namespace frictionbench::app
