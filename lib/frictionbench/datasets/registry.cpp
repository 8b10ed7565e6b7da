#include "frictionbench/datasets/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>
#include <stdexcept>

#include "frictionbench/base/program_folder.hpp"
#include "frictionbench/base/suggestions.hpp"

namespace frictionbench::datasets {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> known_folders() {
  std::vector<fs::path> folders{
      (program_folder() / FRICTIONBENCH_DATASETS_FOLDER).lexically_normal()};
  if (const char* const more = std::getenv("FRICTIONBENCH_DATASETS")) {
    std::istringstream list(more);
    for (std::string folder; std::getline(list, folder, ':');)
      if (!folder.empty()) folders.emplace_back(folder);
  }
  return folders;
}

bool is_below(const std::string& path, const std::string& folder) {
  return folder.empty() || path == folder ||
         (path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/');
}

}  // namespace

Registry::Registry(const std::vector<fs::path>& folders) {
  std::unordered_map<std::string, fs::path> origins;
  for (const fs::path& folder : folders) {
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(folder, missing)) {
      if (entry.path().extension() != ".json") continue;
      DataSet set = read_data_set(entry.path());
      if (const auto [other, is_new] = origins.emplace(set.name, entry.path()); !is_new)
        throw FileError(
            entry.path().string(), "name",
            fmt::format("'{}' is the name of {}, too", set.name, other->second.string()));
      sets_.push_back(std::move(set));
    }
  }
  std::sort(sets_.begin(), sets_.end(),
            [](const DataSet& a, const DataSet& b) { return a.name < b.name; });
  for (std::size_t k = 0; k < sets_.size(); ++k)
    for (std::size_t f = 0; f < sets_[k].files.size(); ++f)
      by_sha256_.emplace(sets_[k].files[f].sha256, std::pair(k, f));
}

std::vector<std::string> Registry::names() const {
  std::vector<std::string> names;
  for (const DataSet& set : sets_) names.push_back(set.name);
  return names;
}

const DataSet* Registry::find(const std::string& name) const {
  const auto set = std::find_if(sets_.begin(), sets_.end(),
                                [&](const DataSet& one) { return one.name == name; });
  return set == sets_.end() ? nullptr : &*set;
}

const DataSet* Registry::set_of(const std::string& sha256) const {
  const auto found = by_sha256_.find(sha256);
  return found == by_sha256_.end() ? nullptr : &sets_[found->second.first];
}

const SetFile* Registry::file_of(const std::string& sha256) const {
  const auto found = by_sha256_.find(sha256);
  if (found == by_sha256_.end()) return nullptr;
  return &sets_[found->second.first].files[found->second.second];
}

const Registry& known() {
  static const Registry registry(known_folders());
  return registry;
}

std::optional<Selection> select(const Registry& registry, const std::string& name) {
  Selection selection{name, nullptr, {}};
  while (selection.name.ends_with('/')) selection.name.pop_back();
  const std::size_t slash = std::min(selection.name.find('/'), selection.name.size());
  selection.set = registry.find(selection.name.substr(0, slash));
  if (!selection.set) return std::nullopt;
  if (selection.set->files.empty())
    throw std::invalid_argument(fmt::format(
        "the description of {} lists no files; `frictionbench make {} --record FILE` makes them",
        selection.set->name, selection.set->name));
  const std::string folder = selection.name.substr(std::min(slash + 1, selection.name.size()));
  for (const SetFile& file : selection.set->files)
    if (is_below(file.path, folder)) selection.files.push_back(&file);
  if (selection.files.empty())
    throw std::invalid_argument(
        unknown_name(fmt::format("folder of the data set {}", selection.set->name), folder,
                     folders_of(*selection.set)));
  return selection;
}

std::string folder_of(const SetFile& file) {
  const std::size_t slash = file.path.rfind('/');
  return slash == std::string::npos ? "" : file.path.substr(0, slash);
}

std::vector<std::string> folders_of(const DataSet& set) {
  std::set<std::string> folders;
  for (const SetFile& file : set.files) folders.insert(folder_of(file));
  return {folders.begin(), folders.end()};
}

fs::path cache_folder() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return fs::path(value ? value : "");
  };
  // The XDG base directory specification leaves relative paths out.
  if (const fs::path cache = variable("XDG_CACHE_HOME"); cache.is_absolute())
    return cache / "frictionbench" / "datasets";
  const fs::path home = variable("HOME");
  if (home.empty())
    throw std::invalid_argument(
        "there is no place for data sets: set XDG_CACHE_HOME or HOME, or give --to FOLDER");
  return home / ".cache" / "frictionbench" / "datasets";
}

fs::path cache_folder(const DataSet& set) { return cache_folder() / set.name / set.version; }

std::optional<fs::path> find_file(const DataSet& set, const SetFile& file) {
  const auto is_there = [&](const fs::path& path) {
    std::error_code missing;
    return fs::file_size(path, missing) == file.bytes && !missing;
  };
  if (!set.folder.empty())
    if (fs::path path = fs::path(set.folder) / file.path; is_there(path)) return path;
  if (fs::path path = cache_folder(set) / file.path; is_there(path)) return path;
  return std::nullopt;
}

std::optional<fs::path> find_file(const Registry& registry, const std::string& sha256) {
  const DataSet* const set = registry.set_of(sha256);
  return set ? find_file(*set, *registry.file_of(sha256)) : std::nullopt;
}

std::vector<fs::path> find_files(const Selection& selection) {
  std::vector<fs::path> found;
  for (const SetFile* file : selection.files)
    if (auto path = find_file(*selection.set, *file)) found.push_back(std::move(*path));
  return found;
}

std::string how_to_get(const Selection& selection, std::uint64_t bytes) {
  const DataSet& set = *selection.set;
  if (set.addresses.empty() && set.scenes.empty())
    return fmt::format("no address is known; `frictionbench fetch {} --from URL` downloads them",
                       selection.name);
  if (!set.addresses.empty())
    return fmt::format("`frictionbench fetch {}` downloads them ({})", selection.name,
                       size_text(bytes));
  return fmt::format("`frictionbench make {}` makes them ({})", selection.name, size_text(bytes));
}

std::string size_text(std::uint64_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  double size = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (size /= 1000; size >= 999.5; size /= 1000) ++unit;
  return fmt::format("{:.{}f} {}B", size, size < 9.95 ? 1 : 0, "kMGTPE"[unit]);
}

}  // namespace frictionbench::datasets
