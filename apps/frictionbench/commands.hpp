/// \file
/// The subcommands. Each function adds one to `app`; if the user chose it, its work is left in
/// `action`, which main runs after parsing and whose result is the exit code:
/// 0 done, 1 done but something was left out or not solved, 2 bad input.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace frictionbench::app {

using Action = std::function<int()>;

void add_run(CLI::App& app, Action& action);
void add_solve(CLI::App& app, Action& action);
void add_list(CLI::App& app, Action& action);
void add_info(CLI::App& app, Action& action);
void add_summary(CLI::App& app, Action& action);
void add_generate(CLI::App& app, Action& action);

}  // namespace frictionbench::app
