#include "frictionbench/bench/plan/problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <new>
#include <regex>
#include <set>

#include "frictionbench/base/file_error.hpp"
#include "frictionbench/base/text.hpp"
#include "frictionbench/bench/plan/internal/lists.hpp"
#include "frictionbench/datasets/registry.hpp"

namespace frictionbench::bench {

namespace fs = std::filesystem;

namespace {

void add_folder(const fs::path& folder, std::vector<fs::path>& files) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const auto extension = entry.path().extension();
    if (entry.is_regular_file() && (extension == ".hdf5" || extension == ".h5"))
      found.push_back(entry.path());
  }
  if (found.empty()) throw SelectionError(folder.string() + ": no *.hdf5 files in this folder");
  std::sort(found.begin(), found.end());
  files.insert(files.end(), found.begin(), found.end());
}

// What the arguments stand for, and what there is to say about them.
struct Found {
  std::vector<fs::path> files;
  const std::function<void(const std::string&)>& note;
};

// Returns false if no data set has that name.
bool add_data_set(const std::string& name, Found& found) try {
  const auto selection = datasets::select(datasets::known(), name);
  if (!selection) return false;
  const std::vector<fs::path> here = datasets::find_files(*selection);
  if (here.size() < selection->files.size()) {
    std::uint64_t missing = 0;
    for (const datasets::SetFile* file : selection->files)
      if (!datasets::find_file(*selection->set, *file)) missing += file->bytes;
    const std::string others = datasets::how_to_get(*selection, missing);
    if (here.empty())
      throw SelectionError(fmt::format("{}: none of the {} files of this data set are here; {}",
                                       selection->name, selection->files.size(), others));
    if (found.note)
      found.note(fmt::format("{}: only {} of {} files are here; {}", selection->name, here.size(),
                             selection->files.size(), others));
  }
  found.files.insert(found.files.end(), here.begin(), here.end());
  return true;
} catch (const std::invalid_argument& error) {
  throw SelectionError(fmt::format("{}: {}", name, error.what()));
}

void add_argument(const fs::path& base, const std::string& argument, Found& found);

void add_list(const fs::path& list, Found& found) {
  for (const std::string& entry : lines_of_list(list.string(), "problems"))
    add_argument(list.parent_path(), entry, found);
}

void add_argument(const fs::path& base, const std::string& argument, Found& found) {
  if (argument.starts_with("@")) return add_list(argument.substr(1), found);
  const fs::path path = base / argument;  // an absolute argument stays as it is
  if (fs::is_directory(path)) return add_folder(path, found.files);
  if (fs::exists(path))
    found.files.push_back(path);
  else if (!add_data_set(argument, found))
    throw SelectionError(path.string() + ": no such file or folder");
}

// The last `folders` folders of a path and the file name without extension.
std::string id_of(const fs::path& absolute, int folders) {
  fs::path id = absolute.stem();
  fs::path folder = absolute.parent_path();
  for (int k = 0; k < folders && folder.has_filename(); ++k, folder = folder.parent_path())
    id = folder.filename() / id;
  return id.generic_string();
}

}  // namespace

std::vector<ProblemSource> find_problems(const std::vector<std::string>& arguments,
                                         const std::string& filter,
                                         const std::function<void(const std::string&)>& note) {
  Found found{{}, note};
  for (const std::string& argument : arguments) add_argument({}, argument, found);

  std::vector<ProblemSource> sources;
  std::vector<fs::path> absolute;
  std::set<fs::path> seen;
  for (const fs::path& file : found.files) {
    fs::path path = fs::absolute(file).lexically_normal();
    if (!seen.insert(fs::weakly_canonical(path)).second) continue;
    if (const std::string name = valid_utf8(path.string()); name != path.string())
      throw SelectionError(name + ": its name is not UTF-8, which results files are; rename it");
    sources.push_back({"", file.string(), path.parent_path().filename().string()});
    absolute.push_back(std::move(path));
  }

  std::vector<int> folders(sources.size(), 1);
  for (bool unique = false; !unique;) {
    std::map<std::string, std::vector<std::size_t>> by_id;
    for (std::size_t k = 0; k < sources.size(); ++k) {
      sources[k].id = id_of(absolute[k], folders[k]);
      by_id[sources[k].id].push_back(k);
    }
    unique = true;
    for (const auto& [id, same] : by_id) {
      if (same.size() < 2) continue;
      for (const std::size_t k : same) {
        std::string longer = id_of(absolute[k], folders[k] + 1);
        if (longer == sources[k].id)  // no folder left: x.h5 next to x.hdf5
          sources[k].id = absolute[k].generic_string();
        else
          ++folders[k], unique = false;
      }
    }
  }

  if (!filter.empty()) try {
      const std::regex pattern(filter);
      std::erase_if(sources, [&](const ProblemSource& source) {
        return !std::regex_search(source.id, pattern);
      });
    } catch (const std::regex_error& error) {
      throw SelectionError("'" + filter + "' is not a regular expression: " + error.what());
    }
  return sources;
}

ProblemSource find_problem(const std::string& argument, const std::string& otherwise) {
  const auto sources = find_problems({argument});
  if (sources.size() != 1) throw SelectionError(argument + ": " + otherwise);
  return sources[0];
}

ContactProblem prepared(const ContactProblem& problem, const std::string& path,
                        const std::optional<ComplianceRule>& compliance, bool without_W) try {
  if (without_W && problem.global()) {
    const ContactProblem global = problem.without_W();
    return compliance ? with_compliance(global, *compliance) : global;
  }
  problem.local();
  return compliance ? with_compliance(problem, *compliance) : problem;
} catch (const InvalidProblem& error) {
  throw FileError(path, error.piece(), error.reason());
} catch (const std::bad_alloc&) {
  throw FileError(path, "W", "does not fit into memory");
}

}  // namespace frictionbench::bench
