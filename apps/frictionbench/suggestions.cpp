#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "commands.hpp"
#include "frictionbench/base/suggestions.hpp"

namespace frictionbench::app {

namespace {

std::vector<CLI::App*> subcommands_of(CLI::App& command) {
  return command.get_subcommands([](CLI::App*) { return true; });
}

std::vector<std::string> names_of(const std::vector<CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands) {
    names.push_back(command->get_name());
    for (const std::string& alias : command->get_aliases()) names.push_back(alias);
  }
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::string explain(CLI::App& app, const CLI::ParseError& error, const CommandLine& command_line) {
  CLI::App* command = &app;
  for (auto word = command_line.begin() + 1; word != command_line.end(); ++word) {
    const std::string name = word->substr(0, word->find('='));
    const auto below = subcommands_of(*command);
    if (name.starts_with("--")) {
      const auto known = option_names(*command);
      if (!contains(known, name)) return unknown_name("option", name, known);
    } else if (!below.empty() && !name.starts_with("-")) {
      if (!contains(names_of(below), name)) return unknown_name("command", name, names_of(below));
      command = command->get_subcommand(name);
    }
  }
  if (const auto below = subcommands_of(*command); !below.empty())
    return fmt::format("{} needs one of {}", command->get_name(), fmt::join(names_of(below), ", "));
  return error.what();
}

}  // namespace frictionbench::app
