#include "frictionbench/bench/plan/internal/lists.hpp"

#include <fstream>

#include "frictionbench/bench/plan/problems.hpp"

namespace frictionbench::bench {

std::vector<std::string> lines_of_list(const std::string& path, const std::string& what) {
  std::ifstream stream(path);
  if (!stream) throw SelectionError(path + ": this list of " + what + " cannot be read");
  std::vector<std::string> entries;
  for (std::string line; std::getline(stream, line);) {
    const auto first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line[first] == '#') continue;
    entries.push_back(line.substr(first, line.find_last_not_of(" \t\r") - first + 1));
    if (entries.back()[0] == '@')
      throw SelectionError(path + ": a list cannot name another list ('" + entries.back() + "')");
  }
  return entries;
}

}  // namespace frictionbench::bench
