/// \file
#pragma once

#include <filesystem>
#include <vector>

namespace frictionbench::bench {

/// Real FCLIB files, about `per_family` of each family, of different sizes; none where the collection is
/// absent. \param form a folder of it: "local" or "global".
std::vector<std::filesystem::path> sample_files(const char* form, std::size_t per_family);

}  // namespace frictionbench::bench
