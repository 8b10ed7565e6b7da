#include "known_solvers.hpp"

#include <algorithm>

#include "frictionbench/bench/plugin/peers.hpp"
#include "frictionbench/bench/plugin/plugin.hpp"

namespace frictionbench::app {

namespace {

std::vector<std::string> peers_there() {
  std::vector<std::string> names;
  for (const bench::Peer& peer : bench::known_peers())
    if (peer.there) names.push_back(peer.name);
  return names;
}

}  // namespace

void KnownSolvers::add_option(Command& command) {
  command.option(
      "--plugin", plugins_,
      "a shared library with solvers (frictionbench/solver_plugin.h), which are known then",
      {.value = "FILE"});
  command.option("--peer", peers_,
                 "a project whose solvers are known then, or `all` that this build has; see "
                 "`list peers`",
                 {.value = "NAME", .suggest = [] { return peers_there(); }});
}

Registry KnownSolvers::load() const {
  Registry all = own_;
  for (const std::string& plugin : plugins_) bench::load_plugin(plugin, all);
  std::vector<std::string> peers;
  for (const std::string& peer : peers_)
    for (const std::string& name : peer == "all" ? peers_there() : std::vector{peer})
      if (std::find(peers.begin(), peers.end(), name) == peers.end()) peers.push_back(name);
  for (const std::string& peer : peers) bench::load_peer(peer, all);
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
