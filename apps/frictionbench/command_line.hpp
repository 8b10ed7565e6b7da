/// \file
/// The command line as data: commands, their options and where the values go. The parser, --help,
/// the manual page and the completions of shells all read it; CLI11 is known to command_line.cpp
/// alone.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "frictionbench/base/describe.hpp"
#include "frictionbench/base/option_name.hpp"

namespace frictionbench::app {

/// What the user typed, for the results document.
using CommandLine = std::vector<std::string>;

/// Texts of an option that its name and type do not tell.
struct Details {
  std::string value = {};      ///< stands for the value in help, "FILE"; empty: by the type
  std::string unit = {};       ///< "s"; "bytes" also allows 512M, 4G
  Range range = any_number();  ///< of a number
  std::vector<std::string> choices = {};                   ///< legal texts; empty if any is
  std::function<std::vector<std::string>()> suggest = {};  ///< what a shell offers; unchecked
  bool required = false;
  std::string needs = {};                         ///< another option that must be given with it
  std::string group = "Options";                  ///< heading in help
  std::optional<std::string> shown_default = {};  ///< if it is not the value at the start
};

/// What a value of an argument is.
enum class ValueType { flag, number, whole_number, text, number_or_text };

/// An option, a flag or a positional argument, bound to where its value goes.
struct Argument {
  std::vector<std::string> names;  ///< "-o", "--output"; a positional: "FILE"
  std::string help;
  Details details;
  int values = 1;           ///< per occurrence; 0 for a flag
  bool repeatable = false;  ///< may be given several times; a positional: several values
  /// Takes the values of one occurrence. Throws std::invalid_argument with what is wrong with them.
  std::function<void(std::span<const std::string>)> set;
  ValueType type = ValueType::flag;

  bool positional() const { return !names[0].starts_with("-"); }
  const std::string& name() const { return names.back(); }  ///< the long one
};

/// Parses `text`. \throws std::invalid_argument: "'x' is not a number > 0".
void read_value(const std::string& text, const Details& details, double& value);
void read_value(const std::string& text, const Details& details, int& value);
void read_value(const std::string& text, const Details& details, long& value);
void read_value(const std::string& text, const Details& details, std::string& value);
template <Named Enum>
void read_value(const std::string& text, const Details&, Enum& value) {
  value = from_name<Enum>(text);
}
template <Textual T>
void read_value(const std::string& text, const Details&, T& value) {
  from_text(text, value);
}
template <typename T>
void read_value(const std::string& text, const Details& details, std::optional<T>& value) {
  read_value(text, details, value.emplace());
}

/// A default value as help shows it; empty for none.
std::string default_text(double value);
std::string default_text(const std::string& value);
template <std::integral T>
std::string default_text(T value) {
  return std::to_string(value);
}
template <Named Enum>
std::string default_text(Enum value) {
  return std::string(name(value));
}
template <Textual T>
std::string default_text(const T& value) {
  return text(value);
}
template <typename T>
std::string default_text(const std::optional<T>& value) {
  return value ? default_text(*value) : "";
}

/// What stands for a value of this type in help.
template <typename T>
std::string value_name(const T&, const Details& details) {
  if (!details.value.empty()) return details.value;
  if (details.unit == "s") return "SECONDS";
  if (details.unit == "bytes") return "SIZE";
  if constexpr (std::is_arithmetic_v<T>) return "NUMBER";
  return "TEXT";
}
template <typename T>
std::string value_name(const std::optional<T>&, const Details& details) {
  return value_name(T{}, details);
}

/// What a value of this type is.
template <typename T>
ValueType value_type(const T&, const Details& details) {
  if constexpr (std::integral<T>)
    return details.unit == "bytes" ? ValueType::number_or_text : ValueType::whole_number;
  if constexpr (std::floating_point<T>) return ValueType::number;
  if constexpr (Textual<T>) return ValueType::number_or_text;
  return ValueType::text;
}
template <typename T>
ValueType value_type(const std::optional<T>&, const Details& details) {
  return value_type(T{}, details);
}

/// A command: its options, and what it does or the commands below it.
class Command {
 public:
  Command(std::string name, std::string summary);

  /// Adds a command below this one. \returns it; it stays where it is.
  Command& add(std::string name, std::string summary);

  /// Adds an option; `names` are separated by commas, the long one last: "-o,--output". A name
  /// without a hyphen is a positional argument. A list can be given several times.
  template <typename T>
  void option(const std::string& names, T& target, std::string help, Details details = {}) {
    if constexpr (Named<T>)
      if (details.choices.empty()) details.choices = names_of<T>();
    if (!details.shown_default) details.shown_default = default_text(target);
    details.value = value_name(target, details);
    add_argument({split_names(names), std::move(help), details, 1, false,
                  [&target, details](auto values) { read_value(values[0], details, target); },
                  value_type(target, details)});
  }
  void option(const std::string& names, std::vector<std::string>& target, std::string help,
              Details details = {});
  /// Two values each time.
  void option(const std::string& names, std::vector<std::pair<std::string, std::string>>& target,
              std::string help, Details details = {});
  void option(const std::string& names, bool& target, std::string help, Details details = {});

  /// Adds an option for every field of a struct with a description; max_iterations is
  /// --max-iterations. The description is the only place that an option needs.
  template <typename Struct>
  void described(Struct& settings) {
    const auto add = [this](const char* field_name, auto& value, const Field& field) {
      this->option(option_name(field_name), value, field.help,
                   {.unit = field.unit, .range = field.range, .choices = choices_of(field)});
    };
    describe(add, settings);
  }

  /// Adds --config FILE: a TOML file of this command's options (config_file.hpp). Those on the command
  /// line win. To be called once.
  void add_config_file();

  std::string name, summary;
  std::string notes;  ///< below the options in help: examples and explanations
  std::string group = "Subcommands";
  std::function<int()> run;  ///< \returns the exit code; may be absent if there are commands below

  std::vector<Argument> arguments;
  std::vector<std::unique_ptr<Command>> commands;
  const Command* parent = nullptr;
  /// Whether a word where commands are expected, such as the name of a file, is the first argument of this
  /// one, whose name need not be typed then. May be empty.
  std::function<bool(const std::string&)> takes_word;
  /// Options that similar commands have and this one has not: name and reason, "is for scenes: ...".
  std::vector<std::pair<std::string, std::string>> refused;

  std::string full_name() const;                       ///< "frictionbench list solvers"
  const Command* find(const std::string& word) const;  ///< the command below of this name
  /// The command below that takes a word which is not the name of one; null if there is none.
  const Command* taker_of(const std::string& word) const;
  const Argument* config() const;  ///< --config; null if it was not added
  const std::string& config_file() const {
    return config_file_;
  }  ///< that --config names, or empty

 private:
  void add_argument(Argument argument);
  static std::vector<std::string> split_names(const std::string& names);
  static std::vector<std::string> choices_of(const Field& field);

  std::string config_file_;
};

/// Parses what the user typed, from the second word on, and runs the command that it names; --help
/// and --version print. \returns the exit code of the command; 2, after one line on standard error,
/// for a bad command line and for any exception.
int run(Command& program, const std::string& version, const CommandLine& words);

std::string help_text(const Command& command);
/// A manual page in troff's man macros.
std::string manual_page(const Command& program, const std::string& version);
/// A completion script. \param shell bash, zsh or fish.
std::string completion_script(const Command& program, const std::string& shell);

}  // namespace frictionbench::app
