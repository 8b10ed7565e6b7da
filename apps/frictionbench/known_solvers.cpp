#include "known_solvers.hpp"

#include "frictionbench/bench/plugin/plugin.hpp"

namespace frictionbench::app {

void KnownSolvers::add_option(Command& command) {
  command.option(
      "--plugin", plugins_,
      "a shared library with solvers (frictionbench/solver_plugin.h), which are known then",
      {.value = "FILE"});
}

Registry KnownSolvers::load() const {
  Registry all = own_;
  for (const std::string& plugin : plugins_) bench::load_plugin(plugin, all);
  return all;
}

std::function<std::vector<std::string>()> KnownSolvers::names() const {
  return [own = own_] {
    std::vector<std::string> names;
    for (const RegisteredSolver& solver : own.solvers()) names.push_back(solver.info.name);
    return names;
  };
}

}  // namespace frictionbench::app
