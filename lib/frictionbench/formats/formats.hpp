/// \file
/// Problems from files of any format that is known.
#pragma once

#include <string>
#include <vector>

#include "frictionbench/base/enum_names.hpp"
#include "frictionbench/fclib/problem_file.hpp"

namespace frictionbench::formats {

/// Formats that are read.
enum class Format { fclib, siconos, kamino, dump };
constexpr auto describe(Format) {
  using enum Format;
  return enum_names<Format>("format", {{fclib, "FCLIB", "HDF5"},
                                       {siconos, "Siconos text", "siconos.hpp"},
                                       {kamino, "Kamino record", "HDF5, kamino.hpp"},
                                       {dump, "fb_dump text", "dump.hpp"}});
}

/// A problem in a file.
struct FoundProblem {
  std::string name;  ///< of the problem in the file; empty if it has one problem without a name
  fclib::ProblemFile file;  ///< the problem, and what goes with it
};

/// What a file holds.
struct FoundProblems {
  Format format;                       ///< of the file
  std::vector<FoundProblem> problems;  ///< one; of Kamino one for each record
};

/// Reads a file of any format, which is recognised by the content.
/// \throws FileError naming the file, the place in it and what is wrong.
FoundProblems read_any(const std::string& path);

}  // namespace frictionbench::formats
