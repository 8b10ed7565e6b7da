#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "commands.hpp"
#include "frictionbench/solver/settings.hpp"

namespace frictionbench::app {

namespace {

std::vector<std::string> names_of_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string> names_of_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::string did_you_mean(const std::string& wrong, const std::vector<std::string>& known) {
  const auto nearest = nearest_names(wrong, known);
  return nearest.empty() ? "" : fmt::format("; did you mean {}?", fmt::join(nearest, ", "));
}

}  // namespace

std::string suggestion_for(const CLI::App& app, int argc, const char* const* argv) {
  const std::vector<std::string> commands = names_of_commands(app);
  if (argc < 2) return fmt::format("; commands: {}", fmt::join(commands, ", "));
  const std::string first = argv[1];
  if (std::find(commands.begin(), commands.end(), first) == commands.end())
    return first.starts_with("-") ? did_you_mean(first, names_of_options(app))
                                  : did_you_mean(first, commands);

  const std::vector<std::string> options = names_of_options(*app.get_subcommand(first));
  for (int k = 2; k < argc; ++k) {
    const std::string word = argv[k];
    const std::string name = word.substr(0, word.find('='));
    if (name.starts_with("--") && std::find(options.begin(), options.end(), name) == options.end())
      return did_you_mean(name, options);
  }
  return {};
}

}  // namespace frictionbench::app
