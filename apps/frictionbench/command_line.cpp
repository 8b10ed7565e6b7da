#include "command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <sstream>
#include <stdexcept>

#include "config_file.hpp"
#include "frictionbench/base/suggestions.hpp"
#include "frictionbench/base/text.hpp"

namespace frictionbench::app {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

[[noreturn]] void refuse(const std::string& text, const char* wanted, const Details& details) {
  const std::string range = details.range.text();
  throw std::invalid_argument(
      fmt::format("'{}' is not {}{}{}", text, wanted, range.empty() ? "" : " ", range));
}

template <typename T>
T parsed(const std::string& text, const char* wanted, const Details& details) {
  const auto value = number_in<T>(text);
  if (!value || !details.range.contains(static_cast<double>(*value))) refuse(text, wanted, details);
  return *value;
}

// "4G" -> 4 and a factor of 2^30.
long parsed_size(const std::string& text, const Details& details) {
  static constexpr std::string_view letters = "kmgt";
  const auto digits = std::min(text.find_first_not_of("0123456789"), text.size());
  std::string unit = text.substr(digits);
  std::transform(unit.begin(), unit.end(), unit.begin(), [](char c) { return std::tolower(c); });
  int shift = 0;
  if (const auto at = unit.empty() ? std::string::npos : letters.find(unit[0]);
      at != std::string::npos) {
    shift = 10 * (static_cast<int>(at) + 1);
    unit.erase(0, 1);
  }
  const char* wanted = "a number of bytes such as 4096, 512M or 4G";
  if (!unit.empty() && unit != "b" && (shift == 0 || unit != "ib")) refuse(text, wanted, details);
  const long count = parsed<long>(text.substr(0, digits), wanted, details);
  if (count > (std::numeric_limits<long>::max() >> shift)) refuse(text, wanted, details);
  return count << shift;
}

std::vector<std::string> command_names(const Command& command) {
  std::vector<std::string> names;
  for (const auto& below : command.commands) names.push_back(below->name);
  return names;
}

std::vector<std::string> option_names(const Command& command) {
  std::vector<std::string> names{"-h", "--help"};
  if (!command.parent) names.push_back("--version");
  for (const Argument& argument : command.arguments)
    if (!argument.positional())
      names.insert(names.end(), argument.names.begin(), argument.names.end());
  return names;
}

const Argument* find_option(const Command& command, const std::string& word) {
  for (const Argument& argument : command.arguments)
    if (!argument.positional() && std::count(argument.names.begin(), argument.names.end(), word))
      return &argument;
  return nullptr;
}

// What a look at the words tells before they are parsed.
struct Request {
  const Command* command;
  bool options = false;  // whether it has any
  bool help = false, version = false;
};

[[noreturn]] void refuse_option(const Command& command, const std::string& name,
                                const std::vector<std::string>& known) {
  for (const auto& [option, reason] : command.refused)
    if (option == name) throw std::invalid_argument(fmt::format("{} {}", name, reason));
  const auto takes = [&](const auto& inner) { return find_option(*inner, name) != nullptr; };
  if (std::ranges::any_of(command.commands, takes))
    throw std::invalid_argument(fmt::format(
        "{0} comes after a command of `{1}`; `{1} --help` lists them", name, command.name));
  throw std::invalid_argument(unknown_name("option", name, known));
}

// Follows the words to the command that they name. Unknown commands and options are refused here,
// with the nearest known names, also where --help was given. Adds names of commands that go without.
Request find_request(const Command& program, CommandLine& words) {
  Request request{&program};
  for (auto word = words.begin() + 1; word != words.end() && *word != "--"; ++word) {
    const Command& command = *request.command;
    const std::string name = word->substr(0, word->find('='));
    if (name.starts_with("-") && name.size() > 1) {
      request.options = true;
      request.help |= name == "--help" || name == "-h";
      request.version |= !command.parent && name == "--version";
      const auto known = option_names(command);
      if (name.starts_with("--") && std::count(known.begin(), known.end(), name) == 0)
        refuse_option(command, name, known);
      const Argument* option = find_option(command, name);
      if (option && !command.commands.empty() && name == *word)
        for (int k = 0; k < option->values && word + 1 != words.end(); ++k) ++word;
    } else if (!command.commands.empty()) {
      if (const Command* taker = command.taker_of(*word))
        word = words.insert(word, taker->name);  // and the word itself comes next
      request.command = command.find(*word);
      request.options = false;
      if (!request.command)
        throw std::invalid_argument(unknown_name("command", *word, command_names(command)));
    }
  }
  return request;
}

void set_values(const Argument& argument, const std::vector<std::string>& given) try {
  const auto count = static_cast<std::size_t>(std::max(argument.values, 1));
  for (std::size_t k = 0; k + count <= given.size(); k += count)
    argument.set(std::span(given).subspan(k, count));
} catch (const std::invalid_argument& error) {
  throw std::invalid_argument(argument.name() + ": " + error.what());
}

// What is required may also be in a configuration file, so CLI11 requires it only without one.
void add_argument(CLI::App& app, const Argument& argument, bool required) {
  const std::string names = fmt::format("{}", fmt::join(argument.names, ","));
  if (argument.values == 0) {
    app.add_flag_callback(names, [&argument] { argument.set({}); });
    return;
  }
  CLI::Option* option = app.add_option(names, [&argument](const CLI::results_t& given) {
    set_values(argument, given);
    return true;
  });
  option->type_size(argument.values)->required(required);
  const bool list = argument.positional() && argument.repeatable;
  option->expected(1, list ? CLI::detail::expected_max_vector_size : 1);
  option->allow_extra_args(list);
  if (argument.repeatable) option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_command(CLI::App& app, const Command& command) {
  app.set_help_flag();
  for (const Argument& argument : command.arguments)
    add_argument(app, argument, argument.details.required && !command.config());
  for (const Argument& argument : command.arguments)
    if (!argument.details.needs.empty())
      app.get_option(argument.name())->needs(app.get_option(argument.details.needs));
  for (const auto& below : command.commands) {
    CLI::App* sub = app.add_subcommand(below->name);
    add_command(*sub, *below);
  }
}

// What the command line did not set and the configuration file has.
void complete(const Command& command, const CLI::App& app) {
  const CLI::App* parsed = &app;
  while (!parsed->get_subcommands().empty()) parsed = parsed->get_subcommands().front();
  const auto is_given = [&](const Argument& argument) {
    return parsed->get_option(argument.name())->count() > 0;
  };
  std::vector<const Argument*> in_file;
  if (!command.config_file().empty())
    in_file = set_from_file(command.config_file(), command, is_given);
  for (const Argument& argument : command.arguments)
    if (argument.details.required && !is_given(argument) &&
        std::count(in_file.begin(), in_file.end(), &argument) == 0)
      throw std::invalid_argument(argument.name() + " is required");
}

int run_request(const Command& program, const std::string& version, CommandLine words) {
  const Request request = find_request(program, words);
  if (request.help || request.version) {
    fmt::print("{}", request.help ? help_text(*request.command)
                                  : fmt::format("{} {}\n", program.name, version));
    return 0;
  }
  CLI::App app("", program.name);
  add_command(app, program);
  std::vector<std::string> reversed(words.rbegin(), words.rend() - 1);  // as CLI11 takes them
  app.parse(reversed);
  const Command& command = *request.command;
  if (command.config()) complete(command, app);
  if (!command.run || (!command.commands.empty() && !request.options))
    throw std::invalid_argument(fmt::format("{} needs one of {}", command.full_name(),
                                            fmt::join(command_names(command), ", ")));
  return command.run();
}

}  // namespace

void read_value(const std::string& text, const Details& details, double& value) {
  value = parsed<double>(text, "a number", details);
}
void read_value(const std::string& text, const Details& details, int& value) {
  value = parsed<int>(text, "a whole number", details);
}
void read_value(const std::string& text, const Details& details, long& value) {
  value = details.unit == "bytes" ? parsed_size(text, details)
                                  : parsed<long>(text, "a whole number", details);
}
void read_value(const std::string& text, const Details&, std::string& value) { value = text; }

std::string default_text(double value) { return fmt::format("{:g}", value); }
std::string default_text(const std::string& value) { return value; }

Command::Command(std::string command_name, std::string command_summary)
    : name(std::move(command_name)), summary(std::move(command_summary)) {}

Command& Command::add(std::string command_name, std::string command_summary) {
  commands.push_back(
      std::make_unique<Command>(std::move(command_name), std::move(command_summary)));
  commands.back()->parent = this;
  return *commands.back();
}

void Command::option(const std::string& names, std::vector<std::string>& target, std::string help,
                     Details details) {
  details.value = value_name(std::string(), details);
  add_argument({split_names(names), std::move(help), details, 1, true,
                [&target](auto values) { target.push_back(values[0]); }, ValueType::text});
}

void Command::option(const std::string& names,
                     std::vector<std::pair<std::string, std::string>>& target, std::string help,
                     Details details) {
  add_argument({split_names(names), std::move(help), std::move(details), 2, true,
                [&target](auto values) { target.emplace_back(values[0], values[1]); },
                ValueType::text});
}

void Command::option(const std::string& names, bool& target, std::string help, Details details) {
  add_argument({split_names(names), std::move(help), std::move(details), 0, false,
                [&target](auto) { target = true; }, ValueType::flag});
}

void Command::add_argument(Argument argument) {
  if (!argument.details.choices.empty())
    argument.set = [set = argument.set,
                    choices = argument.details.choices](std::span<const std::string> given) {
      for (const std::string& text : given)
        if (std::find(choices.begin(), choices.end(), text) == choices.end())
          throw std::invalid_argument(unknown_name("value", text, choices));
      set(given);
    };
  arguments.push_back(std::move(argument));
}

void Command::add_config_file() {
  option("--config", config_file_,
         "TOML file of options by their long names without hyphens, and of the arguments in lower "
         "case; the command line wins",
         {.value = "FILE"});
}

const Argument* Command::config() const { return find_option(*this, "--config"); }

std::vector<std::string> Command::split_names(const std::string& names) {
  return split(names, ',');
}

std::vector<std::string> Command::choices_of(const Field& field) {
  return field.choices ? split(field.choices, '|') : std::vector<std::string>{};
}

std::string Command::full_name() const { return parent ? parent->full_name() + " " + name : name; }

const Command* Command::find(const std::string& word) const {
  for (const auto& command : commands)
    if (command->name == word) return command.get();
  return nullptr;
}

const Command* Command::taker_of(const std::string& word) const {
  if (find(word)) return nullptr;
  for (const auto& command : commands)
    if (command->takes_word && command->takes_word(word)) return command.get();
  return nullptr;
}

int run(Command& program, const std::string& version, const CommandLine& words) try {
  const int exit_code = run_request(program, version, words);
  if (std::fflush(stdout) != 0) throw std::runtime_error("standard output cannot be written");
  return exit_code;
} catch (const std::exception& error) {
  fmt::print(stderr, "error: {}\n", error.what());
  return 2;
}

}  // namespace frictionbench::app
