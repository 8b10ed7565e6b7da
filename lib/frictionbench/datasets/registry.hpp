/// \file
/// The data sets that a program knows by name, and where their files are on this machine.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frictionbench/datasets/data_set.hpp"

namespace frictionbench::datasets {

/// Data sets by name.
class Registry {
 public:
  Registry() = default;
  /// Reads every *.json of the folders; folders that do not exist are left out.
  /// \throws FileError for a description that cannot be used, or a name that another one has.
  explicit Registry(const std::vector<std::filesystem::path>& folders);

  const std::vector<DataSet>& sets() const { return sets_; }  ///< ordered by name
  std::vector<std::string> names() const;                     ///< in the same order
  const DataSet* find(const std::string& name) const;         ///< null if it is not known
  /// A file with this SHA-256 and its set, the first by name if there are several; null if none has it.
  const DataSet* set_of(const std::string& sha256) const;
  const SetFile* file_of(const std::string& sha256) const;  ///< the file itself, or null

 private:
  std::vector<DataSet> sets_;
  // By SHA-256: positions of the set and of the file in it.
  std::unordered_map<std::string, std::pair<std::size_t, std::size_t>> by_sha256_;
};

/// The sets that come with the program, in ../share/frictionbench/datasets from its folder, and those
/// in the folders that the environment variable FRICTIONBENCH_DATASETS names, separated by colons.
/// Read once. \throws FileError
const Registry& known();

/// The part of a set that a name stands for.
struct Selection {
  std::string name;                   ///< as given, without '/' at its end
  const DataSet* set = nullptr;       ///< never null
  std::vector<const SetFile*> files;  ///< at least one, in the order of the set
};

/// What `SET`, `SET/FOLDER` or `SET/FILE` stands for; nothing if the first part is not the name of a
/// set. \throws std::invalid_argument for a folder that the set does not have, with the nearest.
std::optional<Selection> select(const Registry& registry, const std::string& name);

/// Every folder of a set that has files, in the order of their paths: "Local/siconos/Chain".
std::vector<std::string> folders_of(const DataSet& set);

/// The folder of a file's path.
std::string folder_of(const SetFile& file);

/// Where fetched and made sets are kept: $XDG_CACHE_HOME/frictionbench/datasets, or the same below
/// ~/.cache. \throws std::invalid_argument without both environment variables.
std::filesystem::path cache_folder();

/// The folder of one version of a set below cache_folder().
std::filesystem::path cache_folder(const DataSet& set);

/// The file on this machine: where it ships, or in the cache; nothing if it is not there with its size.
std::optional<std::filesystem::path> find_file(const DataSet& set, const SetFile& file);

/// The file with this SHA-256 on this machine, of whichever set has it; nothing if none has, or it is
/// not there.
std::optional<std::filesystem::path> find_file(const Registry& registry, const std::string& sha256);

/// The files of a selection that are on this machine, in its order.
std::vector<std::filesystem::path> find_files(const Selection& selection);

/// What to do for files that are not here: "`frictionbench fetch NAME` downloads them (7.4 MB)", or
/// how to make them. \param bytes of the missing files.
std::string how_to_get(const Selection& selection, std::uint64_t bytes);

/// "7.4 MB", with powers of 1000.
std::string size_text(std::uint64_t bytes);

}  // namespace frictionbench::datasets
