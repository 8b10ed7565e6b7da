/// \file
/// Data sets that are made from scenes, and checked file by file.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "frictionbench/datasets/registry.hpp"
#include "frictionbench/scenes/data_set.hpp"

namespace frictionbench::scenes {

/// A scene of a description. \throws std::invalid_argument for unknown names of forms, and for a text
/// that is no compliance.
Recipe recipe_of(const datasets::SceneRecipe& described);

/// What became of the files that a selection names.
struct MadeSet {
  std::size_t made = 0;                     ///< now, with the SHA-256 of the set
  std::size_t already_there = 0;            ///< with the SHA-256 of the set
  std::vector<std::string> different = {};  ///< a line for each file that is not what the set says
};

/// Makes the files of a selection in `folder`, scene by scene. A file gets its name once its SHA-256 is
/// that of the set; others are left out. A scene whose files are there already is not made again, so
/// what was interrupted continues.
/// \param replace a file that is there and has another content; otherwise it counts as different.
/// \param made is told every file that was made, by its path in the set.
/// \throws FileError if a file cannot be written; std::invalid_argument for a set without scenes, or
///         scenes and parameters that do not exist.
MadeSet make_set(const datasets::Selection& selection, const std::filesystem::path& folder,
                 bool replace, const std::function<void(const std::string&)>& made);

/// Makes all files of a set in `folder`, with a manifest, as they come.
/// \returns the set with these files: the description of a new version.
/// \throws as make_set, and FileError if a file is there and `replace` is false.
datasets::DataSet record_set(const datasets::DataSet& set, const std::filesystem::path& folder,
                             bool replace, const std::function<void(const std::string&)>& made);

}  // namespace frictionbench::scenes
