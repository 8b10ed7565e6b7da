// Completion scripts for bash, zsh and fish, from the description of the commands.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "command_line.hpp"

namespace frictionbench::app {

namespace {

// What can be offered for the value of an argument.
std::vector<std::string> offers_of(const Argument& argument) {
  if (!argument.details.choices.empty()) return argument.details.choices;
  return argument.details.suggest ? argument.details.suggest() : std::vector<std::string>{};
}

bool takes_files(const Argument& argument) {
  const std::string& value = argument.details.value;
  if (!offers_of(argument).empty()) return false;
  return argument.positional() || value == "FILE" || value == "FOLDER";
}

std::vector<Argument> with_help(const Command& command) {
  std::vector<Argument> all = command.arguments;
  const auto add = [&](std::vector<std::string> names, const char* help) {
    Argument flag{std::move(names), help, {}, 0, false, {}};
    all.push_back(std::move(flag));
  };
  add({"-h", "--help"}, "print this help");
  if (!command.parent) add({"--version"}, "print the version");
  return all;
}

// Replaces characters that have a meaning between quotes.
std::string escaped(const std::string& text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (c == '\'')
      result += "'\\''";
    else if (special.find(c) != std::string_view::npos)
      result += std::string("\\") + c;
    else
      result += c;
  }
  return result;
}

// "/list/solvers"; empty for the program.
std::string path_of(const Command& command) {
  return command.parent ? path_of(*command.parent) + "/" + command.name : "";
}

void for_each(const Command& command, const std::function<void(const Command&)>& visit) {
  visit(command);
  for (const auto& below : command.commands) for_each(*below, visit);
}

std::string bash_script(const Command& program) {
  std::string paths, values, words;
  for_each(program, [&](const Command& command) {
    const std::string path = path_of(command);
    if (command.parent) paths += (paths.empty() ? "" : "|") + path;
    std::vector<std::string> options, below;
    std::string positional;
    for (const Argument& argument : with_help(command)) {
      if (argument.positional()) {
        positional = fmt::format("{}", fmt::join(offers_of(argument), " "));
        continue;
      }
      options.insert(options.end(), argument.names.begin(), argument.names.end());
      if (argument.values == 0) continue;
      std::vector<std::string> patterns;
      for (const std::string& name : argument.names)
        patterns.push_back(fmt::format("'{}:{}'", path, name));
      values += fmt::format("    {}) values='{}' files={} ;;\n", fmt::join(patterns, "|"),
                            fmt::join(offers_of(argument), " "), takes_files(argument) ? 1 : 0);
    }
    for (const auto& sub : command.commands) below.push_back(sub->name);
    words += fmt::format("    '{}') options='{}' values='{}{}' files={} ;;\n", path,
                         fmt::join(options, " "), fmt::join(below, " "), positional,
                         below.empty() && positional.empty() ? 1 : 0);
  });
  return fmt::format(
      R"(# bash completion for {0}; generated from its description of the command line
_{0}() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
  local command= word options= values= files=
  # --option=value comes as three words.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$command/$word" in
      {1}) command=$command/$word ;;
    esac
  done
  case "$command:$previous" in
{2}  esac
  if [[ -z $files ]]; then
    case "$command" in
{3}    esac
    [[ $current == -* ]] && values=$options files=0
  fi
  COMPREPLY=($(compgen -W "$values" -- "$current"))
  if [[ $files == 1 ]]; then
    local IFS=$'\n'
    COMPREPLY=($(compgen -f -- "$current"))
    compopt -o filenames 2>/dev/null
  fi
}}
complete -F _{0} {0}
)",
      program.name, paths, values, words);
}

// A specification for zsh's _arguments: '*--solver[help]:SOLVER:(a b)'.
std::string zsh_argument(const Argument& argument) {
  const std::vector<std::string> offers = offers_of(argument);
  std::string action = offers.empty() ? "" : fmt::format("({})", fmt::join(offers, " "));
  if (takes_files(argument)) action = "_files";
  if (argument.positional())
    return fmt::format("'{}:{}:{}'", argument.repeatable ? "*" : "", escaped(argument.name(), ":"),
                       action);
  std::string value;
  for (int k = 0; k < argument.values; ++k)
    value += fmt::format(":{}:{}", escaped(argument.details.value, ":"), action);
  const std::string rest = fmt::format("[{}]{}", escaped(argument.help, "[]:"), value);
  const std::string all = fmt::format("{}", fmt::join(argument.names, " "));
  std::vector<std::string> specs;
  for (const std::string& name : argument.names)
    specs.push_back(fmt::format("'{}{}{}{}'", argument.repeatable ? "*" : fmt::format("({})", all),
                                name, argument.values > 0 && name.starts_with("--") ? "=" : "",
                                rest));
  return fmt::format("{}", fmt::join(specs, " "));
}

std::string zsh_function(const Command& command) {
  std::string path = path_of(command);
  std::replace(path.begin(), path.end(), '/', '_');
  std::string text = fmt::format("_frictionbench{}() {{\n", path);
  std::string arguments;
  for (const Argument& argument : with_help(command))
    arguments += " \\\n    " + zsh_argument(argument);
  if (command.commands.empty()) return text + "  _arguments" + arguments + "\n}\n";
  std::string described, cases;
  for (const auto& below : command.commands) {
    described += fmt::format(" \\\n        '{}:{}'", below->name, escaped(below->summary, ":"));
    cases += fmt::format("        {0}) _frictionbench{1}_{0} ;;\n", below->name, path);
  }
  return text + fmt::format(R"(  local context state state_descr line
  typeset -A opt_args
  _arguments -C{} \
    '1:command:->command' '*::argument:->argument'
  case $state in
    command)
      local -a commands
      commands=({})
      _describe command commands ;;
    argument)
      case $line[1] in
{}      esac ;;
  esac
}}
)",
                            arguments, described, cases);
}

std::string zsh_script(const Command& program) {
  std::string text = fmt::format(
      "#compdef {}\n# Generated from the program's description of the command line.\n\n",
      program.name);
  for_each(program, [&](const Command& command) { text += zsh_function(command); });
  return text + fmt::format("_{0} \"$@\"\n", program.name);
}

std::string fish_condition(const Command& command) {
  if (!command.parent) return "__fish_use_subcommand";
  std::string text = "__fish_seen_subcommand_from " + command.name;
  if (command.parent->parent) text = fish_condition(*command.parent) + "; and " + text;
  return text;
}

std::string fish_script(const Command& program) {
  std::string text = "# Generated from the program's description of the command line.\n";
  for_each(program, [&](const Command& command) {
    const std::string start =
        fmt::format("complete -c {} -n '{}'", program.name, fish_condition(command));
    for (const auto& below : command.commands)
      text += fmt::format("{} -f -a {} -d '{}'\n", start, below->name, escaped(below->summary, ""));
    for (const Argument& argument : with_help(command)) {
      const std::vector<std::string> offers = offers_of(argument);
      const std::string values =
          offers.empty() ? "" : fmt::format(" -a '{}'", fmt::join(offers, " "));
      if (argument.positional()) {
        if (!offers.empty()) text += start + " -f" + values + "\n";
        continue;
      }
      text += start;
      for (const std::string& name : argument.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (argument.values > 0) text += takes_files(argument) ? " -r" : " -x" + values;
      text += fmt::format(" -d '{}'\n", escaped(argument.help, ""));
    }
  });
  return text;
}

}  // namespace

std::string completion_script(const Command& program, const std::string& shell) {
  if (shell == "bash") return bash_script(program);
  if (shell == "zsh") return zsh_script(program);
  if (shell == "fish") return fish_script(program);
  throw std::invalid_argument("no completion for the shell '" + shell + "'");
}

}  // namespace frictionbench::app
