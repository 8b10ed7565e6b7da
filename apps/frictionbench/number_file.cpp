#include "number_file.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "frictionbench/base/atomic_file.hpp"

namespace frictionbench::app {

Vector read_numbers(const std::string& path, Index entries) {
  std::ifstream file(path);
  const auto refuse = [&](const std::string& reason) {
    throw std::invalid_argument(path + ": " + reason);
  };
  if (!file) refuse("cannot be read");
  std::vector<double> values;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    char* end = nullptr;
    values.push_back(std::strtod(line.c_str(), &end));
    if (end == line.c_str() || std::string(end).find_first_not_of(" \t\r") != std::string::npos)
      refuse(fmt::format("line {}: expected one number", number));
  }
  if (static_cast<Index>(values.size()) != entries)
    refuse(fmt::format("has {} numbers, expected {}: one for each component of each contact",
                       values.size(), entries));
  return Eigen::Map<Vector>(values.data(), entries);
}

void write_numbers(const std::string& path, const Vector& values) {
  AtomicFile file(path);
  for (const double value : values) file.write(fmt::format("{}\n", value));
  file.commit();
}

}  // namespace frictionbench::app
