#include "frictionbench/base/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

namespace frictionbench {

namespace fs = std::filesystem;

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

// Infinity where there is none: `max` is what a group without a limit has.
double number_in(const fs::path& path) {
  std::ifstream file(path);
  double number = 0;
  return file >> number ? number : unknown;
}

// Bytes of files that the kernel keeps for a group as long as nothing needs the memory.
double cached(const fs::path& statistics) {
  std::ifstream lines(statistics);
  std::string name;
  for (double bytes = 0; lines >> name >> bytes;)
    if (name == "inactive_file") return bytes;
  return 0;
}

// As /proc/self/cgroup names it: "0::/system.slice/job".
fs::path group_of_process() {
  std::ifstream lines("/proc/self/cgroup");
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("0::")) return line.substr(3);
  return {};
}

}  // namespace

double left_of_group(const fs::path& groups, const fs::path& own) {
  double left = unknown;
  for (fs::path group = own.relative_path();; group = group.parent_path()) {
    const double limit = number_in(groups / group / "memory.max");
    const double used = number_in(groups / group / "memory.current");
    if (limit < unknown && used < unknown)
      left = std::min(left, std::max(0.0, limit - used + cached(groups / group / "memory.stat")));
    if (group.empty()) return left;
  }
}

double memory_left() {
  return std::min({left_of_address_space(), available_to_all(),
                   left_of_group("/sys/fs/cgroup", group_of_process())});
}

}  // namespace frictionbench
