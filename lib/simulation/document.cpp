#include "frictionbench/simulation/document.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "frictionbench/bench/measure/entries.hpp"
#include "frictionbench/bench/measure/environment.hpp"
#include "frictionbench/results/document/json.hpp"
#include "frictionbench/simulation/members.hpp"

namespace frictionbench::simulation {

namespace {

using nlohmann::json;

json numbers(const Pose& pose) {
  const Vector3& x = pose.position;
  const Eigen::Quaterniond& q = pose.rotation;
  return {x.x(), x.y(), x.z(), q.w(), q.x(), q.y(), q.z()};
}

json numbers(const Vector3& x) { return {x.x(), x.y(), x.z()}; }

// Where impulses act, and which, in the world.
json contacts_of(const Frame& frame) {
  json list = json::array();
  for (const ContactImpulse& contact : frame.impulses)
    list.push_back({{"bodies", {contact.first, contact.second}},
                    {"point", numbers(contact.point)},
                    {"impulse", numbers(contact.impulse)}});
  return list;
}

}  // namespace

json to_json(const SimulationDocument& document) {
  results::Document made;
  bench::describe_environment(made.run);
  made.solvers = {bench::solver_entry_of(document.solver)};
  const json whole = results::to_json(made);

  json result = {{"schema", "frictionbench-simulation"},
                 {"schema_version", 1},
                 {"command", document.command},
                 {document.kind, document.about},
                 {"solver", whole.at("solvers").at(0)},
                 {"settings", members(document.settings)},
                 {"steps", json::array()},
                 {"trajectory", json::array()}};
  result["settings"].update(document.own_settings);
  for (const char* name : {"version", "git", "build", "host", "warnings"})
    if (whole.at("run").contains(name)) result["made_by"][name] = whole.at("run").at(name);
  for (const SimulationStep& step : document.steps) result["steps"].push_back(json(members(step)));
  for (const Frame& frame : document.frames) {
    json bodies = json::array();
    for (const Pose& body : frame.bodies) bodies.push_back(numbers(body));
    result["trajectory"].push_back(
        {{"time", frame.time}, {"bodies", std::move(bodies)}, {"contacts", contacts_of(frame)}});
  }
  return result;
}

std::string steps_csv(const std::vector<SimulationStep>& steps) {
  std::string header, rows;
  const auto add_name = [&](const char* name, const auto&, const Field&) {
    header += fmt::format("{}{}", header.empty() ? "" : ",", name);
  };
  const SimulationStep step;
  describe(add_name, step);
  for (const SimulationStep& made : steps) {
    std::string row;
    const nlohmann::ordered_json values = members(made);
    for (const auto& [name, value] : values.items()) {
      if (!row.empty()) row += ',';
      if (value.is_string())
        row += value.get<std::string>();
      else if (!value.is_null())
        row += value.dump();
    }
    rows += row + "\n";
  }
  return header + "\n" + rows;
}

}  // namespace frictionbench::simulation
