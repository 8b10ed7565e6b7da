#include "frictionbench/bench/plugin/peers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "frictionbench/base/program_folder.hpp"
#include "frictionbench/base/suggestions.hpp"
#include "frictionbench/bench/plugin/plugin.hpp"

namespace frictionbench::bench {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

fs::path peers_folder() {
  if (const char* const given = std::getenv("FRICTIONBENCH_PEERS")) return given;
  return (program_folder() / FRICTIONBENCH_PEERS_FOLDER).lexically_normal();
}

// The table that CMake wrote; throws PluginError.
json peers_table() {
  const fs::path path = peers_folder() / "peers.json";
  std::ifstream file(path);
  if (!file) return json::array();
  json table = json::parse(file, nullptr, false);
  if (!table.is_array())
    throw PluginError(path.string() + ": is not a table of peers; build or install it again");
  return table;
}

// Throws json::exception.
Peer peer_of(const json& entry) {
  return {entry.at("name"), entry.at("title"), entry.value("version", ""), entry.at("package"),
          entry.at("there")};
}

// A program, with the settings of `external` that are not part of what it is. Throws json::exception.
RegisteredSolver program_entry(const json& described, const fs::path& folder, const Peer& peer,
                               const RegisteredSolver& external) {
  SolverInfo info = external.info;
  info.name = described.at("name");
  info.model = from_name<ContactModel>(described.at("model").get<std::string>());
  info.summary = described.at("summary");
  const std::string library = fmt::format("{} {}", peer.title, peer.version);
  info.sources = {library};
  const std::string command = fmt::format(fmt::runtime(described.at("command").get<std::string>()),
                                          fmt::arg("folder", fmt::format("'{}'", folder.string())));

  const Assignments fixed = {
      {"command", command}, {"name", info.name}, {"model", std::string(name(info.model))}};
  const auto is_fixed = [&](const std::string& setting) {
    return std::any_of(fixed.begin(), fixed.end(),
                       [&](const auto& assignment) { return assignment.first == setting; });
  };
  std::vector<SettingDescription> settings;
  for (const SettingDescription& setting : external.settings)
    if (!is_fixed(setting.name)) settings.push_back(setting);
  const auto make = [=](const Assignments& given, const Registry&) {
    Assignments all = fixed;
    for (const auto& assignment : given) {
      if (is_fixed(assignment.first))
        throw std::invalid_argument(
            fmt::format("{} is a peer's and cannot be set", assignment.first));
      all.push_back(assignment);
    }
    ConfiguredSolver solver = external.make(all, {});
    solver.settings.emplace_back("library", library);
    return solver;
  };
  return {info, {}, settings, {}, make};
}

}  // namespace

std::vector<Peer> known_peers() {
  std::vector<Peer> peers;
  for (const json& entry : peers_table()) peers.push_back(peer_of(entry));
  std::sort(peers.begin(), peers.end(),
            [](const Peer& a, const Peer& b) { return a.name < b.name; });
  return peers;
}

std::vector<std::string> names_of_peers_there() {
  std::vector<std::string> names;
  for (const Peer& peer : known_peers())
    if (peer.there) names.push_back(peer.name);
  return names;
}

void load_peer(const std::string& name, Registry& registry) {
  const json table = peers_table();
  const auto entry = std::find_if(table.begin(), table.end(),
                                  [&](const json& one) { return one.at("name") == name; });
  if (entry == table.end()) {
    std::vector<std::string> names;
    for (const json& one : table) names.push_back(one.at("name"));
    throw PluginError(unknown_name("peer", name, names));
  }
  const Peer peer = peer_of(*entry);
  if (!peer.there)
    throw PluginError(
        fmt::format("peer '{}': {} was not there when this program was built; install "
                    "{} and build again",
                    name, peer.title, peer.package));
  if (entry->contains("library"))
    return load_plugin(peers_folder() / entry->at("library"), registry);
  const RegisteredSolver external = registry.find("external");
  for (const json& described : entry->at("solvers"))
    registry.add(program_entry(described, peers_folder() / name, peer, external));
}

Registry with_plugins_and_peers(Registry own, const std::vector<std::string>& plugins,
                                const std::vector<std::string>& peers) {
  for (const std::string& plugin : plugins) load_plugin(plugin, own);
  std::vector<std::string> names;
  for (const std::string& peer : peers)
    for (const std::string& name : peer == "all" ? names_of_peers_there() : std::vector{peer})
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  for (const std::string& name : names) load_peer(name, own);
  return own;
}

}  // namespace frictionbench::bench
