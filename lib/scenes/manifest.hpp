/// \file
#pragma once

#include <filesystem>
#include <vector>

#include "frictionbench/scenes/data_set.hpp"

namespace frictionbench::scenes {

/// Replaces the manifest in one step, rows in the order of paths.
/// \throws FileError if it cannot be written.
void write_manifest(const std::filesystem::path& path, std::vector<ManifestRow> rows);

}  // namespace frictionbench::scenes
