/// \file
/// Real FCLIB problems, where the machine has them.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

namespace frictionbench::test {

/// Files *.hdf5 under `folder` of the collection of real problems, sorted; empty if it is absent.
std::vector<std::filesystem::path> real_files(const std::filesystem::path& folder);

}  // namespace frictionbench::test

/// Ends the test as skipped, visibly, if the collection of real FCLIB problems is absent.
#define SKIP_WITHOUT_REAL_FILES(folder)                                               \
  if (frictionbench::test::real_files(folder).empty())                                \
  GTEST_SKIP() << "no real FCLIB problems in " FRICTIONBENCH_FCLIB_DATA "/" << folder \
               << " (set the CMake variable FRICTIONBENCH_FCLIB_DATA)"
