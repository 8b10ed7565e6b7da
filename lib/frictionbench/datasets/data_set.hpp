/// \file
/// A data set: files known by their SHA-256 under a name and a version, and how to get them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "frictionbench/base/enum_names.hpp"
#include "frictionbench/base/file_error.hpp"
#include "frictionbench/solver/settings.hpp"

namespace frictionbench::datasets {

/// Classes of problems by their number of contacts, those of reports (scripts/frictionbench/results).
enum class SizeClass { to_10, to_100, to_1000, to_6000, above_6000 };
constexpr auto describe(SizeClass) {
  using enum SizeClass;
  return enum_names<SizeClass>("size class", {{to_10, "1-10", "problems without contacts, too"},
                                              {to_100, "11-100"},
                                              {to_1000, "101-1000"},
                                              {to_6000, "1001-6000"},
                                              {above_6000, "above-6000"}});
}
/// \param contacts >= 0
SizeClass size_class(std::int64_t contacts);

/// A scene of a set that is made, as the arguments of `frictionbench generate`.
struct SceneRecipe {
  std::string scene;            ///< name of the family, "stack"
  Assignments parameters = {};  ///< that differ from the defaults, as text
  std::string form =
      "by-size";  ///< in which its problems are written, by the names of scenes::Forms
  std::string compliance = {};  ///< ComplianceRule as text; empty: rigid contacts

  bool operator==(const SceneRecipe&) const = default;
};

/// A file of a set.
struct SetFile {
  std::string path;                           ///< in the folder of the set, with '/'
  std::uint64_t bytes = 0;                    ///< its size
  std::string sha256;                         ///< 64 hexadecimal digits
  std::optional<std::int64_t> contacts = {};  ///< absent where it is not known without the file
  std::optional<std::size_t> scene = {};  ///< in DataSet::scenes; absent for a set of files alone

  bool operator==(const SetFile&) const = default;
};

/// What a file such as datasets/fclib.json says. A set with scenes can be made, one with addresses can
/// be downloaded.
struct DataSet {
  std::string name;                     ///< "fclib": letters, digits, '.', '_' and '-'
  std::string version;                  ///< the same characters; another one where any file differs
  std::string title;                    ///< one line
  std::string home = {};                ///< a page about it, or empty
  std::vector<std::string> references;  ///< papers and pages to cite
  std::string folder = {};              ///< that has the files, if they ship; empty if they do not
  std::vector<std::string>
      addresses;         ///< of the folder, without '/' at the end: the first is tried first
  std::string lfs = {};  ///< batch address of Git LFS, for pointers; or empty
  std::vector<SceneRecipe> scenes;  ///< from which the files are made
  std::vector<SetFile> files;       ///< ordered by path, or by scene

  std::uint64_t bytes() const;                                             ///< of all files
  std::string title_with_version() const { return name + " " + version; }  ///< "fclib 2024-05-17"

  bool operator==(const DataSet&) const = default;
};

/// Reads a description. A relative `folder` is relative to the description's own.
/// \throws FileError naming the member and what is wrong with it: paths that leave the folder, values
///         that are not a SHA-256, a path that is listed twice.
DataSet read_data_set(const std::filesystem::path& path);

/// Writes a description that read_data_set reads, a line per file. \throws FileError
void write_data_set_file(const DataSet& set, const std::filesystem::path& path);

}  // namespace frictionbench::datasets
