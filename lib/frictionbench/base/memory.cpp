#include "frictionbench/base/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace frictionbench {

namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();

double left_of_address_space() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unknown;
  std::ifstream sizes("/proc/self/statm");
  double pages = 0;
  if (!(sizes >> pages)) return unknown;
  const double used = pages * static_cast<double>(sysconf(_SC_PAGESIZE));
  return std::max(0.0, static_cast<double>(limit.rlim_cur) - used);
}

double available_to_all() {
  std::ifstream lines("/proc/meminfo");
  std::string name, rest;
  for (double kibibytes = 0; lines >> name >> kibibytes; std::getline(lines, rest))
    if (name == "MemAvailable:") return 1024 * kibibytes;
  return unknown;
}

}  // namespace

double memory_left() { return std::min(left_of_address_space(), available_to_all()); }

}  // namespace frictionbench
