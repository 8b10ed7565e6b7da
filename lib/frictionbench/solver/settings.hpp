/// \file
/// Settings of a solver are described once; command line, validation, JSON and help all read that
/// one description.
///
///     struct Settings {
///       double relaxation = 1.0;
///       void describe(SettingFields& fields) {
///         fields.add("relaxation", relaxation, open_interval(0, 2), "over-relaxation factor", "L
///         (25)");
///       }
///     };
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "frictionbench/base/range.hpp"

namespace frictionbench {

/// One field of a settings struct, bound to an instance of it.
struct SettingField {
  std::string name;
  std::string type;    ///< "number", "integer", "boolean", "text" or "a | b | c" for a choice
  std::string range;   ///< text of the legal values; empty if any
  std::string help;    ///< meaning and unit
  std::string source;  ///< where the default comes from: paper and equation or table
  std::function<nlohmann::json()> get;
  std::function<void(const std::string&)>
      set;  ///< throws std::invalid_argument in words for people
};

/// Name of several fields that are set together, as `tau` for tau_inc and tau_dec.
struct SettingShorthand {
  std::string name;
  std::vector<std::string> fields;
  std::string help;
};

/// The description of one settings instance: what Settings::describe fills in.
class SettingFields {
 public:
  void add(std::string name, double& value, Range range, std::string help, std::string source);
  void add(std::string name, int& value, Range range, std::string help, std::string source);
  void add(std::string name, bool& value, std::string help, std::string source);
  /// Any text: what it may say is checked by who uses it.
  void add(std::string name, std::string& value, std::string help, std::string source);

  /// An enumeration; `choices` gives every value its name.
  template <typename Enum, typename = std::enable_if_t<std::is_enum_v<Enum>>>
  void add(std::string name, Enum& value, std::vector<std::pair<std::string, Enum>> choices,
           std::string help, std::string source) {
    std::vector<std::string> names;
    for (const auto& [text, unused] : choices) names.push_back(text);
    add_choice(
        std::move(name), std::move(names), std::move(help), std::move(source),
        [&value, choices] {
          for (std::size_t k = 0; k < choices.size(); ++k)
            if (choices[k].second == value) return k;
          return choices.size();
        },
        [&value, choices](std::size_t k) { value = choices[k].second; });
  }

  /// Fields must have been added before.
  void shorthand(std::string name, std::vector<std::string> fields, std::string help);

  /// A choice of `field` that stands for a set of values: setting it also calls `apply`, which
  /// gives the fields the values that go with it. Where settings are read from text, presets come
  /// first, so that what is said beside them holds. The field must have been added before.
  void preset(const std::string& field, std::string choice, std::function<void()> apply);
  bool has_preset(std::string_view field) const;

  /// Sets a field or a shorthand from text.
  /// \throws std::invalid_argument naming the field, the value, what is legal, and for an unknown
  ///         name the nearest known ones.
  void set(const std::string& name, const std::string& value);

  nlohmann::json to_json() const;  ///< every field by name
  const std::vector<SettingField>& fields() const { return fields_; }
  const std::vector<SettingShorthand>& shorthands() const { return shorthands_; }

 private:
  void add_choice(std::string name, std::vector<std::string> names, std::string help,
                  std::string source, std::function<std::size_t()> get,
                  std::function<void(std::size_t)> set);
  SettingField* find(std::string_view name);

  struct Preset {
    std::string field;
    std::string choice;
    std::function<void()> apply;
  };

  std::vector<SettingField> fields_;
  std::vector<SettingShorthand> shorthands_;
  std::vector<Preset> presets_;
};

}  // namespace frictionbench
