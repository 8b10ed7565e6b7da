/// \file
/// Solvers in shared libraries (solver_plugin.h).
#pragma once

#include <stdexcept>
#include <string>

#include "frictionbench/solver/registry.hpp"

namespace frictionbench::bench {

/// A shared library that cannot be used: its path and why.
class PluginError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Loads a library for good and registers its solvers. It is loaded and asked in a child process
/// first, so that one that crashes or hangs there is an error like any other.
///
/// Its solvers record their settings and, after them, `library` (what it says of its name and
/// version) and `library_sha256`, which cannot be set, so that results of another build of the library
/// are known to be those of another solver.
/// \throws PluginError also if a name is taken.
void load_plugin(const std::string& path, Registry& registry);

}  // namespace frictionbench::bench
