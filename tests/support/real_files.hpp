/// \file
/// Real FCLIB problems, if the machine has them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

namespace frictionbench::test {

/// Files *.hdf5 under `folder` of the collection of real problems, sorted; empty if it is absent.
inline std::vector<std::filesystem::path> real_files(const std::filesystem::path& folder) {
  const std::filesystem::path root = FRICTIONBENCH_FCLIB_DATA / folder;
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(root)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
    if (entry.path().extension() == ".hdf5") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace frictionbench::test

/// Skips the test, with a message, if the collection of real FCLIB problems is absent.
#define SKIP_WITHOUT_REAL_FILES(folder)                                               \
  if (frictionbench::test::real_files(folder).empty())                                \
  GTEST_SKIP() << "no real FCLIB problems in " FRICTIONBENCH_FCLIB_DATA "/" << folder \
               << " (set the CMake variable FRICTIONBENCH_FCLIB_DATA)"
