/// \file
/// Folders of FCLIB problems made from scenes. Data sets that have names: scenes/make_set.hpp.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frictionbench/base/enum_names.hpp"
#include "frictionbench/problem/compliance_rule.hpp"
#include "frictionbench/scenes/catalogue.hpp"

namespace frictionbench::scenes {

/// The forms in which problems are written.
enum class Forms {
  by_size,  ///< global above `largest_local` contacts, local otherwise
  local,
  global,
  both
};
constexpr auto describe(Forms) {
  using enum Forms;
  return enum_names<Forms>("form", {{by_size, "by-size", "global above 1000 contacts"},
                                    {local, "local", "W and q"},
                                    {global, "global", "M, H, f and w"},
                                    {both, "both", "a file of each"}});
}

/// Contacts up to which W makes a file of moderate size. A wall of 130 561 contacts takes 397 MB as
/// W, and 44 MB as H.
inline constexpr Index largest_local = 1000;

/// A scene of a data set, and the form in which its problems are written.
struct Recipe {
  std::string scene;                              ///< name of the family
  Assignments parameters;                         ///< that differ from the defaults
  Forms forms = Forms::by_size;                   ///< to write
  std::optional<ComplianceRule> compliance = {};  ///< of every problem; absent: rigid contacts
};

/// One row of MANIFEST.csv.
struct ManifestRow {
  std::string path;                       ///< relative to the folder of the manifest, with '/'
  std::string family;                     ///< "Stack"
  ProblemForm form = ProblemForm::local;  ///< of the file
  int dimension = 3;                      ///< 2 or 3
  Index contacts = 0;                     ///< number of contacts
  Index dofs = 0;      ///< n, degrees of freedom of the bodies; also for local files
  std::string mu_min;  ///< shortest decimal that reads back unchanged; empty without contacts
  std::string mu_max;  ///< the same of the largest
  std::string sha256;  ///< of the file, hexadecimal
};

inline constexpr const char* manifest_name = "MANIFEST.csv";  ///< in the folder of the data set

/// Writes the problems of the recipes under `folder`, as
/// `<Family>/<Family>-<variant>-<form>-<contacts>-<step>.hdf5`, with the compliance at the end of the
/// variant if there is one, and `folder`/MANIFEST.csv with a
/// row for each, ordered by path. Rows of an existing manifest are kept, except those of files
/// written now.
///
/// Local problems are stored in compressed rows, global ones in triplets, as in real files.
///
/// \param overwrite replaces existing files. Otherwise nothing is written if one of them exists.
/// \throws FileError if a file exists or cannot be written; std::invalid_argument for an
///         unknown scene or parameter, an illegal value, or two recipes for the same file.
std::vector<ManifestRow> write_data_set(const std::vector<Recipe>& recipes,
                                        const std::filesystem::path& folder,
                                        bool overwrite = false);

/// Reads a manifest written by write_data_set.
/// \throws FileError naming the invalid line.
std::vector<ManifestRow> read_manifest(const std::filesystem::path& path);

/// The row of a file, without its path, family, degrees of freedom and SHA-256.
ManifestRow manifest_row(const ContactProblem& problem);

/// Adds rows to `folder`/MANIFEST.csv, which may not exist yet, in place of those of the same paths.
/// \param removed paths whose rows go.
/// \throws FileError naming an invalid line, or if the file cannot be written.
void update_manifest(const std::filesystem::path& folder, const std::vector<ManifestRow>& rows,
                     std::set<std::string> removed = {});

}  // namespace frictionbench::scenes
