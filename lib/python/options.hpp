/// \file
/// Keyword arguments from the descriptions of settings, as the command line has its options from them.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "frictionbench/base/describe.hpp"

namespace frictionbench::python {

namespace py = pybind11;

/// "tolerance: -1 is not a number > 0" and the like. \throws py::type_error, py::value_error
/// @{
void set_value(const py::handle& given, const char* name, const Field& field, double& value);
void set_value(const py::handle& given, const char* name, const Field& field, int& value);
void set_value(const py::handle& given, const char* name, const Field& field, bool& value);
/// Of an enum or a Textual type.
std::string text_from(const py::handle& given, const char* name);
/// A str or os.PathLike.
std::string path_from(const py::handle& given, const char* name);
/// @}

/// Legal texts of an enum's field.
template <Named Enum>
std::vector<std::string> choices_of(const Field& field) {
  std::vector<std::string> choices = names_of<Enum>();
  if (field.choices)
    std::erase_if(choices, [all = fmt::format("|{}|", field.choices)](const std::string& choice) {
      return all.find(fmt::format("|{}|", choice)) == std::string::npos;
    });
  return choices;
}

template <Named Enum>
void set_value(const py::handle& given, const char* name, const Field& field, Enum& value) {
  const std::string text = text_from(given, name);
  const std::vector<std::string> choices = choices_of<Enum>(field);
  if (std::count(choices.begin(), choices.end(), text) == 0)
    throw py::value_error(fmt::format("{}: {}", name, unknown_name("value", text, choices)));
  value = from_name<Enum>(text);
}

template <Textual T>
void set_value(const py::handle& given, const char* name, const Field&, T& value) try {
  from_text(text_from(given, name), value);
} catch (const std::invalid_argument& error) {
  throw py::value_error(fmt::format("{}: {}", name, error.what()));
}

template <typename T>
void set_value(const py::handle& given, const char* name, const Field& field,
               std::optional<T>& value) {
  if (given.is_none())
    value.reset();
  else
    set_value(given, name, field, value.emplace());
}

/// The keyword arguments of a call: a visitor of descriptions, which sets what was given.
class Keywords {
 public:
  explicit Keywords(const py::kwargs& given) : given_(given) {}

  template <typename T>
  void operator()(const char* name, T& value, const Field& field) {
    if (const py::object given = take(name)) set_value(given, name, field, value);
  }

  /// The argument of a name that no description has; null if it was not given.
  py::object take(const char* name);
  /// Texts or paths: one, or several in a list or tuple.
  std::vector<std::string> take_texts(const char* name);

  /// \throws py::type_error if one was given that nothing has asked for.
  void check_all_known() const;

 private:
  py::dict given_;
  std::vector<std::string> known_;
};

/// A text about options of the command line, `--time-step`, with their names in Python, `time_step`.
std::string in_python_words(std::string text);

/// Lines of a docstring: a visitor of descriptions.
class OptionsText {
 public:
  template <typename T>
  void operator()(const char* name, const T& value, const Field& field) {
    const std::string unit = *field.unit ? fmt::format(", {}", field.unit) : "";
    const std::string range = field.range.text();
    add(fmt::format("{} = {}{}{}", name, value_text(value), unit, choices_text<T>(field)),
        field.help + (range.empty() ? "" : "; " + range));
  }
  std::string text;

 private:
  void add(const std::string& option, const std::string& help);

  template <typename T>
  static std::string value_text(const T& value) {
    if constexpr (std::same_as<T, bool>)
      return value ? "True" : "False";
    else if constexpr (Named<T>)
      return fmt::format("'{}'", name(value));
    else if constexpr (std::is_arithmetic_v<T>)
      return fmt::format("{:.6g}", static_cast<double>(value));
    else
      return "None";  // optional ones are not given
  }
  template <typename T>
  static std::string choices_text(const Field& field) {
    if constexpr (Named<T>)
      return fmt::format(" ({})", fmt::join(choices_of<T>(field), " | "));
    else
      return "";
  }
};

/// The options of a struct of settings, with their meaning and the values that it has.
template <typename Settings>
std::string options_text(const Settings& settings) {
  OptionsText visitor;
  describe(visitor, settings);
  return visitor.text;
}

}  // namespace frictionbench::python
