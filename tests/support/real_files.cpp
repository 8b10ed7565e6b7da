#include "support/real_files.hpp"

#include <algorithm>

namespace frictionbench::test {

namespace fs = std::filesystem;

std::vector<fs::path> real_files(const fs::path& folder) {
  const fs::path root = fs::path(FRICTIONBENCH_FCLIB_DATA) / folder;
  std::vector<fs::path> files;
  if (!fs::is_directory(root)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(root))
    if (entry.path().extension() == ".hdf5") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace frictionbench::test
