#include "frictionbench/scenes/simulation_document.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>

#include "frictionbench/bench/measure/environment.hpp"
#include "frictionbench/results/document/json.hpp"

namespace frictionbench::scenes {

namespace {

using nlohmann::json;

template <typename T>
json value_of(const T& value) {
  if constexpr (Named<T>)
    return name(value);
  else if constexpr (std::floating_point<T>)
    return std::isfinite(value) ? json(value) : json();
  else
    return value;
}
template <typename T>
json value_of(const std::optional<T>& value) {
  return value ? value_of(*value) : json();
}

// Its described fields.
template <typename Struct>
nlohmann::ordered_json members(const Struct& value) {
  nlohmann::ordered_json object;
  const auto add = [&](const char* name, const auto& field, const Field&) {
    object[name] = value_of(field);
  };
  describe(add, value);
  return object;
}

json pose(const Body& body) {
  const Vector3& x = body.position;
  const Eigen::Quaterniond& q = body.rotation;
  return {x.x(), x.y(), x.z(), q.w(), q.x(), q.y(), q.z()};
}

json numbers(const Vector3& x) { return {x.x(), x.y(), x.z()}; }

// Where impulses act, and which, in the world.
json contacts_of(const Frame& frame) {
  const int dimension = frame.world.dimension;
  json list = json::array();
  for (std::size_t i = 0; i < frame.contacts.size(); ++i) {
    const Contact& contact = frame.contacts[i];
    const auto r = frame.impulse.segment(dimension * static_cast<Index>(i), dimension);
    list.push_back({{"bodies", {contact.a, contact.b}},
                    {"point", numbers(contact.point)},
                    {"impulse", numbers(contact.frame.leftCols(dimension) * r)}});
  }
  return list;
}

}  // namespace

json to_json(const SimulationDocument& document) {
  results::Document made;
  bench::describe_environment(made.run);
  made.solvers = {bench::describe(document.solver)};
  const json whole = results::to_json(made);

  json result = {{"schema", "frictionbench-simulation"},
                 {"schema_version", 1},
                 {"command", document.command},
                 {"scene", {{"command", document.scene}, {"time_step", document.time_step}}},
                 {"solver", whole.at("solvers").at(0)},
                 {"settings", members(document.settings)},
                 {"steps", json::array()},
                 {"trajectory", json::array()}};
  for (const char* name : {"version", "git", "build", "host", "warnings"})
    if (whole.at("run").contains(name)) result["made_by"][name] = whole.at("run").at(name);
  for (const SimulationStep& step : document.steps) result["steps"].push_back(json(members(step)));
  for (const Frame& frame : document.frames) {
    json bodies = json::array();
    for (const Body& body : frame.world.bodies) bodies.push_back(pose(body));
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

}  // namespace frictionbench::scenes
