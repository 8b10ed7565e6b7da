#include "frictionbench/solver/settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "frictionbench/base/suggestions.hpp"

namespace frictionbench {

namespace {

template <typename Number>
Number parse_number(const std::string& field, const std::string& text, const char* kind) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw std::invalid_argument(fmt::format("{} = '{}' is not {}", field, text, kind));
  return value;
}

void check_range(const std::string& field, double value, const Range& range) {
  if (!range.contains(value))
    throw std::invalid_argument(fmt::format("{} = {} is out of range: it must be {}", field, value,
                                            range.text().empty() ? "finite" : range.text()));
}

}  // namespace

void SettingFields::add(std::string name, double& value, Range range, std::string help,
                        std::string source) {
  fields_.push_back({name, "number", range.text(), std::move(help), std::move(source),
                     [&value] { return nlohmann::json(value); },
                     [&value, name, range](const std::string& text) {
                       const double parsed = parse_number<double>(name, text, "a number");
                       check_range(name, parsed, range);
                       value = parsed;
                     }});
}

void SettingFields::add(std::string name, int& value, Range range, std::string help,
                        std::string source) {
  fields_.push_back({name, "integer", range.text(), std::move(help), std::move(source),
                     [&value] { return nlohmann::json(value); },
                     [&value, name, range](const std::string& text) {
                       const int parsed = parse_number<int>(name, text, "an integer");
                       check_range(name, parsed, range);
                       value = parsed;
                     }});
}

void SettingFields::add(std::string name, bool& value, std::string help, std::string source) {
  fields_.push_back({name, "boolean", "", std::move(help), std::move(source),
                     [&value] { return nlohmann::json(value); },
                     [&value, name](const std::string& text) {
                       if (text != "true" && text != "false")
                         throw std::invalid_argument(
                             fmt::format("{} = '{}' must be true or false", name, text));
                       value = text == "true";
                     }});
}

void SettingFields::add(std::string name, std::string& value, std::string help,
                        std::string source) {
  fields_.push_back({std::move(name), "text", "", std::move(help), std::move(source),
                     [&value] { return nlohmann::json(value); },
                     [&value](const std::string& text) { value = text; }});
}

void SettingFields::add_choice(std::string name, std::vector<std::string> names, std::string help,
                               std::string source, std::function<std::size_t()> get,
                               std::function<void(std::size_t)> set) {
  fields_.push_back({name, fmt::format("{}", fmt::join(names, " | ")), "", std::move(help),
                     std::move(source), [names, get] { return nlohmann::json(names.at(get())); },
                     [names, name, set](const std::string& text) {
                       const auto found = std::find(names.begin(), names.end(), text);
                       if (found == names.end())
                         throw std::invalid_argument(fmt::format(
                             "{} = '{}' must be one of {}", name, text, fmt::join(names, ", ")));
                       set(static_cast<std::size_t>(found - names.begin()));
                     }});
}

void SettingFields::shorthand(std::string name, std::vector<std::string> fields, std::string help) {
  for (const std::string& field : fields)
    if (!find(field)) throw std::logic_error("shorthand of an unknown setting " + field);
  shorthands_.push_back({std::move(name), std::move(fields), std::move(help)});
}

void SettingFields::preset(const std::string& field, std::string choice,
                           std::function<void()> apply) {
  if (!find(field)) throw std::logic_error("preset of an unknown setting " + field);
  presets_.push_back({field, std::move(choice), std::move(apply)});
}

bool SettingFields::has_preset(std::string_view field) const {
  return std::any_of(presets_.begin(), presets_.end(),
                     [&](const Preset& preset) { return preset.field == field; });
}

void SettingFields::set(const std::string& name, const std::string& value) {
  for (const SettingShorthand& shorthand : shorthands_)
    if (shorthand.name == name) {
      for (const std::string& field : shorthand.fields) find(field)->set(value);
      return;
    }
  if (SettingField* field = find(name)) {
    field->set(value);
    for (const Preset& preset : presets_)
      if (preset.field == name && preset.choice == value) preset.apply();
    return;
  }
  std::vector<std::string> known;
  for (const SettingField& field : fields_) known.push_back(field.name);
  for (const SettingShorthand& shorthand : shorthands_) known.push_back(shorthand.name);
  throw std::invalid_argument(unknown_name("setting", name, known));
}

nlohmann::json SettingFields::to_json() const {
  nlohmann::json values = nlohmann::json::object();
  for (const SettingField& field : fields_) values[field.name] = field.get();
  return values;
}

SettingField* SettingFields::find(std::string_view name) {
  for (SettingField& field : fields_)
    if (field.name == name) return &field;
  return nullptr;
}

}  // namespace frictionbench
