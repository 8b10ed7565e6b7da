#include "sample_files.hpp"

#include <algorithm>
#include <utility>

namespace frictionbench::bench {

namespace fs = std::filesystem;

std::vector<fs::path> sample_files(const char* form, std::size_t per_family) {
  const fs::path root = fs::path(FRICTIONBENCH_FCLIB_DATA) / "fclib" / form;
  std::vector<fs::path> chosen;
  if (!fs::is_directory(root)) return chosen;
  for (const auto& family : fs::directory_iterator(root)) {
    std::vector<std::pair<std::uintmax_t, fs::path>> files;
    for (const auto& file : fs::directory_iterator(family))
      files.emplace_back(fs::file_size(file), file.path());
    std::sort(files.begin(), files.end());
    const std::size_t step = std::max<std::size_t>(1, files.size() / per_family);
    for (std::size_t k = step / 2; k < files.size(); k += step) chosen.push_back(files[k].second);
  }
  return chosen;
}

}  // namespace frictionbench::bench
