/// \file
/// The solvers that a command knows: those of the program, and those of plug-ins and peers that the
/// user names.
#pragma once

#include "command_line.hpp"
#include "frictionbench/solver/registry.hpp"

namespace frictionbench::app {

class KnownSolvers {
 public:
  /// \param own those of the program.
  explicit KnownSolvers(const Registry& own = {}) : own_(own) {}

  /// Adds --plugin and --peer to a command, which this object must outlive.
  void add_option(Command& command);

  /// All of them. \throws bench::PluginError
  Registry load() const;

  /// Names of the program's own, for shells to offer.
  std::function<std::vector<std::string>()> names() const;

 private:
  Registry own_;
  std::vector<std::string> plugins_, peers_;
};

}  // namespace frictionbench::app
