#include "config_file.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <stdexcept>

#include "frictionbench/base/suggestions.hpp"
#include "frictionbench/base/text.hpp"

namespace frictionbench::app {

namespace {

std::string key_of(const Argument& argument) {
  std::string key = argument.name();
  key.erase(0, key.find_first_not_of('-'));
  std::transform(key.begin(), key.end(), key.begin(), [](char c) { return std::tolower(c); });
  return key;
}

bool can_be_set(const Command& command, const Argument& argument) {
  return argument.values <= 1 && &argument != command.config();
}

const char* described(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::string:
      return "a text";
    case toml::node_type::integer:
      return "a whole number";
    case toml::node_type::floating_point:
      return "a number with a decimal point or an exponent";
    case toml::node_type::boolean:
      return "true or false";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::table:
      return "a table";
    default:
      return "a date or a time";
  }
}

// Why one value cannot be that of an argument; empty if it can.
std::string expected_value(const Argument& argument, const toml::node& node) {
  switch (argument.type) {
    case ValueType::flag:
      return node.is_boolean() ? "" : "true or false, without quotes";
    case ValueType::number:
      return node.is_number() ? "" : "a number, without quotes";
    case ValueType::whole_number:
      return node.is_integer() ? "" : "a whole number, without quotes";
    case ValueType::text:
      return node.is_string() ? "" : "a text, in quotes";
    case ValueType::number_or_text:
      return node.is_number() || node.is_string() ? "" : "a number, or a text in quotes";
  }
  throw std::logic_error("a type of values that no file knows");
}

// As it would be typed.
std::string typed(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto number = node.value_exact<std::int64_t>()) return fmt::format("{}", *number);
  return fmt::format("{}", *node.value_exact<double>());
}

// The values of one argument.
class Reader {
 public:
  Reader(const std::string& path, std::string key) : path_(path), key_(std::move(key)) {}

  [[noreturn]] void refuse(const toml::node& node, const std::string& reason) const {
    throw std::invalid_argument(
        fmt::format("{}: line {}: {}: {}", path_, node.source().begin.line, key_, reason));
  }

  // Sets an argument, or only looks at its values.
  void read(const Argument& argument, const toml::node& node, bool set) const {
    const toml::array* const list = node.as_array();
    if (!argument.repeatable || !list) return read_one(argument, node, set);
    for (const toml::node& element : *list) read_one(argument, element, set);
  }

 private:
  void read_one(const Argument& argument, const toml::node& node, bool set) const {
    const std::string expected = expected_value(argument, node);
    if (!expected.empty())
      refuse(node, fmt::format("expected {}{}, is {}", expected,
                               argument.repeatable ? ", or a list of them" : "", described(node)));
    if (!set) return;
    if (const auto flag = node.value_exact<bool>()) {
      if (*flag) argument.set({});
      return;
    }
    const std::string value = typed(node);
    try {
      argument.set(std::span(&value, 1));
    } catch (const std::invalid_argument& error) {
      refuse(node, error.what());
    }
  }

  const std::string& path_;
  std::string key_;
};

toml::table parsed(const std::string& path) try {
  std::ifstream file(path);
  if (!file) throw std::invalid_argument(path + ": cannot be opened");
  toml::table table = toml::parse(file, path);
  if (file.bad()) throw std::invalid_argument(path + ": cannot be read");  // a folder
  return table;
} catch (const toml::parse_error& error) {
  throw std::invalid_argument(fmt::format("{}: line {}, column {}: not TOML: {}", path,
                                          error.source().begin.line, error.source().begin.column,
                                          one_line(std::string(error.description()))));
}

}  // namespace

std::vector<const Argument*> set_from_file(const std::string& path, const Command& command,
                                           const std::function<bool(const Argument&)>& given) {
  std::vector<std::string> known;
  for (const Argument& argument : command.arguments)
    if (can_be_set(command, argument)) known.push_back(key_of(argument));

  std::vector<const Argument*> in_file;
  const toml::table table = parsed(path);
  for (const auto& [toml_key, node] : table) {
    const std::string key(toml_key.str());
    const Reader reader(path, key);
    const auto found = std::find_if(
        command.arguments.begin(), command.arguments.end(), [&](const Argument& argument) {
          return can_be_set(command, argument) && key_of(argument) == key;
        });
    if (found == command.arguments.end()) {
      if (node.is_table())
        reader.refuse(node, "options stand at the top of the file, in no [section]");
      reader.refuse(node, unknown_name("option", key, known));
    }
    reader.read(*found, node, !given(*found));
    in_file.push_back(&*found);
  }
  return in_file;
}

}  // namespace frictionbench::app
