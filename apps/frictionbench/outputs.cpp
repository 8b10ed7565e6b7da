#include "outputs.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "frictionbench/base/atomic_file.hpp"

namespace frictionbench::app {

namespace fs = std::filesystem;

namespace {

bool same_file(const std::string& a, const std::string& b) {
  return fs::weakly_canonical(fs::absolute(a)) == fs::weakly_canonical(fs::absolute(b));
}

}  // namespace

void OutputCheck::add(const std::string& path) {
  if (path.empty()) return;
  const auto refuse = [&](const std::string& reason) {
    throw std::invalid_argument(path + ": " + reason);
  };
  if (is_standard_output(path)) {
    if (text_stream() == stderr) refuse("is named for two outputs");
    outputs_.push_back(path);
    return;
  }
  const auto is_this = [&](const std::string& other) { return same_file(path, other); };
  if (std::any_of(inputs_.begin(), inputs_.end(), is_this))
    refuse("is read by this command, so it cannot be written by it");
  if (std::any_of(outputs_.begin(), outputs_.end(), is_this)) refuse("is named for two outputs");
  if (fs::is_directory(path)) refuse("cannot be written: it is a folder");
  if (fs::is_regular_file(path) && !force_)
    refuse("already exists; choose another name or use --force");

  const fs::path folder = fs::absolute(path).parent_path();
  if (!fs::is_directory(folder)) refuse("cannot be written: no such folder: " + folder.string());
  if (access(folder.c_str(), W_OK) != 0 || (fs::exists(path) && access(path.c_str(), W_OK) != 0))
    refuse(std::string("cannot be written: ") + std::strerror(errno));
  outputs_.push_back(path);
}

std::FILE* OutputCheck::text_stream() const {
  const bool taken = std::find(outputs_.begin(), outputs_.end(), "-") != outputs_.end();
  return taken ? stderr : stdout;
}

std::string impulses_path(const std::string& results) {
  fs::path path(results);
  if (path.extension() == ".json") path.replace_extension();
  return path.string() + ".impulses.h5";
}

}  // namespace frictionbench::app
