#include "frictionbench/base/program_folder.hpp"

#include <system_error>
#include <utility>

namespace frictionbench {

namespace {

std::filesystem::path& folder_set() {
  static std::filesystem::path folder;
  return folder;
}

}  // namespace

std::filesystem::path program_folder() {
  if (!folder_set().empty()) return folder_set();
  std::error_code unknown;
  return std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
}

void set_program_folder(std::filesystem::path folder) { folder_set() = std::move(folder); }

}  // namespace frictionbench
