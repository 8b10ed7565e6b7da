#include "frictionbench/results/document/solver_json.hpp"

#include <nlohmann/json.hpp>
#include <variant>

namespace frictionbench::results {

using nlohmann::json;

namespace {

json settings_of(const RegisteredSolver& solver) {
  json settings = json::array();
  for (const SettingDescription& field : solver.settings)
    settings.push_back({{"name", field.name},
                        {"type", field.type},
                        {"required", field.name == solver.required},
                        {"default", std::visit([](const auto& value) { return json(value); },
                                               field.default_value)},
                        {"range", field.range},
                        {"help", field.help},
                        {"source", field.source}});
  return settings;
}

json shorthands_of(const RegisteredSolver& solver) {
  json shorthands = json::array();
  for (const SettingShorthand& shorthand : solver.shorthands)
    shorthands.push_back(
        {{"name", shorthand.name}, {"settings", shorthand.settings}, {"help", shorthand.help}});
  return shorthands;
}

}  // namespace

json to_json(const RegisteredSolver& solver) {
  const SolverInfo& info = solver.info;
  json dimensions = json::array();
  if (info.two_dimensional) dimensions.push_back(2);
  if (info.three_dimensional) dimensions.push_back(3);
  return {{"name", info.name},
          {"model", name(info.model)},
          {"summary", info.summary},
          {"exact", info.exact},
          {"sources", info.sources},
          {"needs_global_form", info.uses_global_form},
          {"dimensions", dimensions},
          {"contacts", info.contacts},
          {"every_set", info.every_set},
          {"zero_diagonal", info.zero_diagonal},
          {"settings", settings_of(solver)},
          {"shorthands", shorthands_of(solver)}};
}

}  // namespace frictionbench::results
