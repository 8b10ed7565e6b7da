#include "known_solvers.hpp"

#include "frictionbench/bench/plugin/peers.hpp"

namespace frictionbench::app {

void KnownSolvers::add_option(Command& command) {
  command.option(
      "--plugin", plugins_,
      "a shared library with solvers (frictionbench/solver_plugin.h), which are known then",
      {.value = "FILE"});
  command.option("--peer", peers_,
                 "a project whose solvers are known then, or `all` that this build has; see "
                 "`list peers`",
                 {.value = "NAME", .suggest = [] { return bench::names_of_peers_there(); }});
}

Registry KnownSolvers::load() const {
  return bench::with_plugins_and_peers(own_, plugins_, peers_);
}

std::function<std::vector<std::string>()> KnownSolvers::names() const {
  return [own = own_] {
    std::vector<std::string> names;
    for (const RegisteredSolver& solver : own.solvers()) names.push_back(solver.info.name);
    return names;
  };
}

}  // namespace frictionbench::app
