#include "scene_options.hpp"

#include <algorithm>

#include "frictionbench/base/option_name.hpp"

namespace frictionbench::app {

SceneOptions::SceneOptions(Command& command, const scenes::Family& family,
                           const std::vector<std::string>& without) {
  for (const SettingDescription& parameter : family.parameters) {
    if (std::find(without.begin(), without.end(), parameter.name) != without.end()) continue;
    auto& [name, value] = values_->emplace_back(parameter.name, "");
    command.option(option_name(name), value, parameter.help,
                   {.value = parameter.type,
                    .group = "Parameters (SI units)",
                    .shown_default = text_of(parameter.default_value)});
  }
}

Assignments SceneOptions::assignments() const {
  Assignments given;
  for (const auto& [parameter, value] : *values_)
    if (!value.empty()) given.emplace_back(parameter, value);
  return given;
}

}  // namespace frictionbench::app
