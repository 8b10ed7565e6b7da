#include "frictionbench/scenes/make_set.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "frictionbench/base/file_error.hpp"
#include "frictionbench/base/sha256.hpp"

namespace frictionbench::scenes {

namespace fs = std::filesystem;
using datasets::DataSet;
using datasets::SetFile;

namespace {

// The folder without a slash behind it, or ".", so that names can be put beside it.
fs::path plain(const fs::path& folder) {
  const fs::path path = fs::absolute(folder).lexically_normal();
  return path.has_filename() ? path : path.parent_path();
}

// Beside `folder`, so that files move into it by renaming, and a run of `folder` never finds them.
class WorkFolder {
 public:
  explicit WorkFolder(const fs::path& folder)
      : path_(fmt::format("{}.making-{}", plain(folder).string(), getpid())) {
    std::error_code error;
    fs::create_directories(path_, error);
    if (error) throw FileError(path_.string(), "", "cannot be created: " + error.message());
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

bool has_content(const fs::path& path, const SetFile& file) {
  std::error_code missing;
  return fs::file_size(path, missing) == file.bytes && !missing &&
         sha256_of_file(path.string()) == file.sha256;
}

void move_into(const fs::path& folder, const fs::path& from, const SetFile& file) {
  const fs::path to = folder / file.path;
  std::error_code error;
  fs::create_directories(to.parent_path(), error);
  if (!error) fs::rename(from, to, error);
  if (error) throw FileError(to.string(), "", "cannot be written: " + error.message());
}

class Maker {
 public:
  Maker(const DataSet& set, const fs::path& folder, bool replace,
        const std::function<void(const std::string&)>& made)
      : set_(set), folder_(folder), replace_(replace), made_(made) {}

  // The files of one scene, which are all made where one of them is missing.
  void make(std::size_t scene, const std::vector<const SetFile*>& files) {
    const auto there = [&](const SetFile* file) {
      return has_content(folder_ / file->path, *file);
    };
    if (std::all_of(files.begin(), files.end(), there)) {
      result_.already_there += files.size();
      return;
    }
    const WorkFolder work(folder_);
    std::map<std::string, std::string> written;  // SHA-256 by path
    for (const ManifestRow& row : write_data_set({recipe_of(set_.scenes[scene])}, work.path()))
      written[row.path] = row.sha256;
    for (const SetFile* file : files) take(*file, written[file->path], work.path() / file->path);
  }

  MadeSet result() { return std::move(result_); }

 private:
  void take(const SetFile& file, const std::string& sha256, const fs::path& from) {
    const auto differs = [&](const std::string& how) {
      result_.different.push_back(fmt::format("{}/{}: {}", set_.name, file.path, how));
    };
    if (sha256.empty()) return differs("its scene makes no file of this name");
    if (sha256 != file.sha256)
      return differs(
          fmt::format("was made with the SHA-256 {} instead of {}", sha256, file.sha256));
    const fs::path to = folder_ / file.path;
    if (has_content(to, file)) {
      ++result_.already_there;
      return;
    }
    if (fs::exists(fs::symlink_status(to)) && !replace_)
      return differs(fmt::format(
          "{} is another file, which was left as it is; move it away, or replace it with --force",
          to.string()));
    move_into(folder_, from, file);
    ++result_.made;
    made_(file.path);
  }

  const DataSet& set_;
  fs::path folder_;
  bool replace_;
  const std::function<void(const std::string&)>& made_;
  MadeSet result_;
};

void check_scenes(const DataSet& set) {
  if (set.scenes.empty())
    throw std::invalid_argument(fmt::format(
        "{} is not made from scenes; `frictionbench datasets {}` says where its files are from",
        set.name, set.name));
}

}  // namespace

Recipe recipe_of(const datasets::SceneRecipe& described) {
  Recipe recipe{described.scene, described.parameters, from_name<Forms>(described.form), {}};
  if (!described.compliance.empty()) from_text(described.compliance, recipe.compliance.emplace());
  return recipe;
}

MadeSet make_set(const datasets::Selection& selection, const fs::path& folder, bool replace,
                 const std::function<void(const std::string&)>& made) {
  check_scenes(*selection.set);
  std::map<std::size_t, std::vector<const SetFile*>> by_scene;
  for (const SetFile* file : selection.files)
    if (file->scene) by_scene[*file->scene].push_back(file);
  Maker maker(*selection.set, folder, replace, made);
  for (const auto& [scene, files] : by_scene) maker.make(scene, files);
  return maker.result();
}

DataSet record_set(const DataSet& set, const fs::path& folder, bool replace,
                   const std::function<void(const std::string&)>& made) {
  check_scenes(set);
  DataSet recorded = set;
  recorded.files.clear();
  for (std::size_t scene = 0; scene < set.scenes.size(); ++scene)
    for (const ManifestRow& row : write_data_set({recipe_of(set.scenes[scene])}, folder, replace)) {
      recorded.files.push_back(
          {row.path, fs::file_size(folder / row.path), row.sha256, row.contacts, scene});
      made(row.path);
    }
  return recorded;
}

}  // namespace frictionbench::scenes
