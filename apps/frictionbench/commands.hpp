/// \file
/// The subcommands. Each function adds one to `app`; if the user chose it, its work is left in
/// `action`, which main runs after parsing and whose result is the exit code:
/// 0 done, 1 done but something was left out, not solved or worse, 2 bad input.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace frictionbench::app {

using Action = std::function<int()>;

/// What the user typed, for the results document.
using CommandLine = std::vector<std::string>;

void add_run(CLI::App& app, Action& action, const CommandLine& command_line);
void add_solve(CLI::App& app, Action& action, const CommandLine& command_line);
void add_list(CLI::App& app, Action& action);
void add_info(CLI::App& app, Action& action);
void add_summary(CLI::App& app, Action& action);
void add_merge(CLI::App& app, Action& action);
void add_compare(CLI::App& app, Action& action);
void add_generate(CLI::App& app, Action& action);

/// What was wrong with a command line, in one line: an unknown command or option is named, with the
/// nearest known ones; otherwise it is what `error` says.
std::string explain(CLI::App& app, const CLI::ParseError& error, const CommandLine& command_line);

}  // namespace frictionbench::app
