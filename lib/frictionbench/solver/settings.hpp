/// \file
/// Settings are described once, next to their fields; command line, validation, help, results files
/// and tests all read that one description.
///
///     struct Gradient {
///       double step = 1;
///       void describe(SettingFields& fields) {
///         fields.add("step", step, open_interval(0, 2), "in 1 / lambda_max(W)", "textbook");
///       }
///     };
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "frictionbench/base/range.hpp"
#include "frictionbench/criteria/criterion.hpp"

namespace frictionbench {

class Registry;
class SettingFields;
class Solver;

using SettingValue = std::variant<bool, int, double, std::string>;  ///< text: a choice or a solver
/// As a person would type it: 4 rather than 4.0, no quotes.
std::string text_of(const SettingValue& value);

/// Names and values, in the order of the description.
using SettingValues = std::vector<std::pair<std::string, SettingValue>>;
/// Names and the texts that a user gave them, in the user's order.
using Assignments = std::vector<std::pair<std::string, std::string>>;

/// A setting, independent of an instance.
struct SettingDescription {
  std::string name;  ///< in lower case, with underscores
  /// "number", "integer", "boolean", "text", "solver" or "a | b | c" for a choice.
  std::string type;
  std::string range;           ///< legal values in words; empty for any
  std::string help;            ///< meaning and unit
  std::string source;          ///< where the default comes from: paper and equation or table
  SettingValue default_value;  ///< of the type that `type` says
};

/// A name for several settings that get the same value, e.g. `tau` for tau_inc and tau_dec.
struct SettingShorthand {
  std::string name;                   ///< `tau` in that example
  std::vector<std::string> settings;  ///< names of those that it stands for
  std::string help;                   ///< meaning
};

/// A setting that is another solver: its text, e.g. `ccp-admm(rho_update=linear)`, and the solver
/// that the registry makes of it.
struct InnerSolver {
  std::string text;                                ///< `name` or `name(setting=value,...)`
  std::shared_ptr<const Solver> solver = nullptr;  ///< null before SettingFields::resolve()
};

/// A struct of settings: copies, starts at its defaults, and describes its fields. One that also
/// has `void validate() const` checks there what no single range can say, and throws
/// std::invalid_argument.
template <typename Struct>
concept DescribedSettings = std::default_initializable<Struct> && std::copyable<Struct> &&
    requires(Struct settings, SettingFields& fields) {
  settings.describe(fields);
};

/// The description of one instance of a settings struct, which it refers to.
class SettingFields {
 public:
  /// A number. `value`, here and below, must outlive this object; it holds the default.
  void add(std::string name, double& value, Range range, std::string help, std::string source);
  /// An integer.
  void add(std::string name, int& value, Range range, std::string help, std::string source);
  /// True or false.
  void add(std::string name, bool& value, std::string help, std::string source);
  /// Any text; one with blanks, commas, parentheses or quotes is given in single quotes.
  void add(std::string name, std::string& value, std::string help, std::string source);
  /// A solver of `model`.
  void add(std::string name, InnerSolver& value, ContactModel model, std::string help,
           std::string source);

  /// An enumeration; `choices` names every value of it.
  template <typename Enum>
  requires std::is_enum_v<Enum>
  void add(std::string name, Enum& value, std::vector<std::pair<std::string, Enum>> choices,
           std::string help, std::string source) {
    std::vector<std::string> names;
    for (const auto& [text, unused] : choices) names.push_back(text);
    const auto get = [&value, choices] {
      std::size_t k = 0;
      while (k < choices.size() && choices[k].second != value) ++k;
      return k;
    };
    const auto set = [&value, choices](std::size_t k) { value = choices[k].second; };
    add_choice(std::move(name), std::move(names), std::move(help), std::move(source), get, set);
  }

  /// Settings must have been added before.
  void shorthand(std::string name, std::vector<std::string> settings, std::string help);

  /// Makes `choice` of a setting a preset: choosing it also calls `apply`, which sets other
  /// settings. assign() applies presets first, so that explicit values win. The setting must have
  /// been added before.
  void preset(const std::string& setting, std::string choice, std::function<void()> apply);

  /// Applies what a user gave, presets first.
  /// \throws std::invalid_argument naming the setting, the value and what is legal; for an unknown
  ///         name, the nearest known ones.
  void assign(const Assignments& assignments);

  /// Makes the inner solvers. \throws std::invalid_argument if one is unknown or of another model.
  void resolve(const Registry& registry);

  SettingValues values() const;                          ///< of all settings, current ones
  std::vector<SettingDescription> descriptions() const;  ///< with current values as defaults
  const std::vector<SettingShorthand>& shorthands() const { return shorthands_; }  ///< as added

  /// What an id leaves out: values() after the presets among the assignments, with the settings
  /// that selected them at their defaults. To be called on an instance at its defaults.
  SettingValues implied_values(const Assignments& assignments);

 private:
  struct Field {
    SettingDescription description;
    std::function<SettingValue()> get;
    std::function<void(const std::string&)> set;  // throws std::invalid_argument, in words
    std::function<void(const Registry&)> resolve = nullptr;
  };
  struct Preset {
    std::string setting;
    std::string choice;
    std::function<void()> apply;
  };

  void add_choice(std::string name, std::vector<std::string> names, std::string help,
                  std::string source, std::function<std::size_t()> get,
                  std::function<void(std::size_t)> set);
  template <typename Number>
  void add_number(const char* type, const char* kind, std::string name, Number& value, Range range,
                  std::string help, std::string source);
  void set(const std::string& name, const std::string& value);
  Field* find(std::string_view name);
  bool has_preset(std::string_view setting) const;

  std::vector<Field> fields_;
  std::vector<SettingShorthand> shorthands_;
  std::vector<Preset> presets_;
};

}  // namespace frictionbench
