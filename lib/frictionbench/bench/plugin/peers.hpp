/// \file
/// Peers: solvers of other projects that were found when the program was built (solvers/peers).
#pragma once

#include <string>
#include <vector>

#include "frictionbench/solver/registry.hpp"

namespace frictionbench::bench {

/// A peer that this build knows of.
struct Peer {
  std::string name;     ///< as `--peer` takes it: "siconos"
  std::string title;    ///< "Siconos Numerics"
  std::string version;  ///< that the build found; empty if it found none
  std::string package;  ///< what to install for it
  bool there = false;   ///< whether the build has it
};

/// All of them, in the order of their names; none if the program has no folder of peers. The folder
/// is lib/frictionbench/peers of the installation or the build, or $FRICTIONBENCH_PEERS.
/// \throws PluginError if the folder's table cannot be read.
std::vector<Peer> known_peers();

/// Names of those that the build has. \throws PluginError as known_peers().
std::vector<std::string> names_of_peers_there();

/// Registers the solvers of a peer: a plug-in's, or programs for `external`, which the registry must
/// have. They record the peer's title and version as the setting `library`.
/// \throws PluginError if there is no such peer, the build did not find it, or it cannot be loaded.
void load_peer(const std::string& name, Registry& registry);

/// The solvers of a program, of the plug-ins in these files, and of these peers; `all` stands for
/// every peer that the build has. \throws PluginError as load_plugin() and load_peer().
Registry with_plugins_and_peers(Registry own, const std::vector<std::string>& plugins,
                                const std::vector<std::string>& peers);

}  // namespace frictionbench::bench
