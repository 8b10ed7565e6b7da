#include "frictionbench/solver/settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "frictionbench/base/suggestions.hpp"
#include "frictionbench/base/text.hpp"
#include "frictionbench/solver/registry.hpp"

namespace frictionbench {

std::string text_of(const SettingValue& value) {
  return std::visit([](const auto& plain) { return fmt::format("{}", plain); }, value);
}

template <typename Number>
void SettingFields::add_number(const char* type, const char* kind, std::string name, Number& value,
                               Range range, std::string help, std::string source) {
  const auto set = [&value, name, range, kind](const std::string& text) {
    const auto parsed = number_in<Number>(text);
    if (!parsed) throw std::invalid_argument(fmt::format("{} = '{}' is not {}", name, text, kind));
    if (!range.contains(*parsed))
      throw std::invalid_argument(fmt::format("{} = {} is out of range: it must be {}", name,
                                              *parsed,
                                              range.text().empty() ? "finite" : range.text()));
    value = *parsed;
  };
  fields_.push_back({{name, type, range.text(), std::move(help), std::move(source), value},
                     [&value] { return SettingValue(value); },
                     set});
}

void SettingFields::add(std::string name, double& value, Range range, std::string help,
                        std::string source) {
  add_number("number", "a number", std::move(name), value, range, std::move(help),
             std::move(source));
}

void SettingFields::add(std::string name, int& value, Range range, std::string help,
                        std::string source) {
  add_number("integer", "an integer", std::move(name), value, range, std::move(help),
             std::move(source));
}

void SettingFields::add(std::string name, bool& value, std::string help, std::string source) {
  const auto set = [&value, name](const std::string& text) {
    if (text != "true" && text != "false")
      throw std::invalid_argument(fmt::format("{} = '{}' must be true or false", name, text));
    value = text == "true";
  };
  fields_.push_back({{name, "boolean", "", std::move(help), std::move(source), value},
                     [&value] { return SettingValue(value); },
                     set});
}

void SettingFields::add(std::string name, std::string& value, std::string help,
                        std::string source) {
  fields_.push_back({{name, "text", "", std::move(help), std::move(source), value},
                     [&value] { return SettingValue(value); },
                     [&value](const std::string& text) { value = text; }});
}

void SettingFields::add(std::string name, InnerSolver& value, ContactModel model, std::string help,
                        std::string source) {
  const auto resolve = [&value, name, model](const Registry& registry) {
    const ConfiguredSolver inner = registry.make(value.text);
    if (inner.info().model != model) {
      std::vector<std::string> suitable;
      for (const RegisteredSolver& solver : registry.solvers())
        if (solver.info.model == model) suitable.push_back(solver.info.name);
      throw std::invalid_argument(fmt::format("{} = '{}' must be a solver of the {}: {}", name,
                                              value.text, frictionbench::name(model),
                                              fmt::join(suitable, ", ")));
    }
    value.solver = inner.solver;
  };
  fields_.push_back({{name, "solver", "", std::move(help), std::move(source), value.text},
                     [&value] { return SettingValue(value.text); },
                     [&value](const std::string& text) { value.text = text; },
                     resolve});
}

void SettingFields::add_choice(std::string name, std::vector<std::string> names, std::string help,
                               std::string source, std::function<std::size_t()> get,
                               std::function<void(std::size_t)> set) {
  const auto set_by_name = [names, name, set](const std::string& text) {
    const auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end())
      throw std::invalid_argument(
          fmt::format("{} = '{}' must be one of {}", name, text, fmt::join(names, ", ")));
    set(static_cast<std::size_t>(found - names.begin()));
  };
  fields_.push_back({{name, fmt::format("{}", fmt::join(names, " | ")), "", std::move(help),
                      std::move(source), names.at(get())},
                     [names, get] { return SettingValue(names.at(get())); },
                     set_by_name});
}

void SettingFields::shorthand(std::string name, std::vector<std::string> settings,
                              std::string help) {
  for (const std::string& setting : settings)
    if (!find(setting)) throw std::logic_error("shorthand of an unknown setting " + setting);
  shorthands_.push_back({std::move(name), std::move(settings), std::move(help)});
}

void SettingFields::preset(const std::string& setting, std::string choice,
                           std::function<void()> apply) {
  if (!find(setting)) throw std::logic_error("preset of an unknown setting " + setting);
  presets_.push_back({setting, std::move(choice), std::move(apply)});
}

void SettingFields::assign(const Assignments& assignments) {
  for (const bool preset : {true, false})
    for (const auto& [name, value] : assignments)
      if (has_preset(name) == preset) set(name, value);
}

void SettingFields::resolve(const Registry& registry) {
  for (const Field& field : fields_)
    if (field.resolve) field.resolve(registry);
}

SettingValues SettingFields::values() const {
  SettingValues values;
  for (const Field& field : fields_) values.emplace_back(field.description.name, field.get());
  return values;
}

std::vector<SettingDescription> SettingFields::descriptions() const {
  std::vector<SettingDescription> descriptions;
  for (const Field& field : fields_) descriptions.push_back(field.description);
  return descriptions;
}

SettingValues SettingFields::implied_values(const Assignments& assignments) {
  const SettingValues defaults = values();
  for (const auto& [name, value] : assignments)
    if (has_preset(name)) set(name, value);
  SettingValues implied = values();
  for (const auto& [name, value] : assignments)
    for (std::size_t k = 0; k < implied.size(); ++k)
      if (has_preset(name) && implied[k].first == name) implied[k].second = defaults[k].second;
  return implied;
}

void SettingFields::set(const std::string& name, const std::string& value) {
  for (const SettingShorthand& shorthand : shorthands_)
    if (shorthand.name == name) {
      for (const std::string& setting : shorthand.settings) find(setting)->set(value);
      return;
    }
  if (const Field* field = find(name)) {
    field->set(value);
    for (const Preset& preset : presets_)
      if (preset.setting == name && preset.choice == value) preset.apply();
    return;
  }
  std::vector<std::string> known;
  for (const Field& field : fields_) known.push_back(field.description.name);
  for (const SettingShorthand& shorthand : shorthands_) known.push_back(shorthand.name);
  throw std::invalid_argument(unknown_name("setting", name, known));
}

SettingFields::Field* SettingFields::find(std::string_view name) {
  for (Field& field : fields_)
    if (field.description.name == name) return &field;
  return nullptr;
}

bool SettingFields::has_preset(std::string_view setting) const {
  return std::any_of(presets_.begin(), presets_.end(),
                     [&](const Preset& preset) { return preset.setting == setting; });
}

}  // namespace frictionbench
