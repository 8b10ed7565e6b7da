/// \file
/// The subcommands; each function adds one to the program. Exit codes: 0 done, 1 done but something
/// was left out, not solved or worse, 2 bad input, 130 interrupted.
#pragma once

#include "command_line.hpp"
#include "frictionbench/solver/registry.hpp"

namespace frictionbench::app {

void add_run(Command& program, const CommandLine& words, const Registry& solvers);
void add_solve(Command& program, const CommandLine& words, const Registry& solvers);
void add_simulate(Command& program, const CommandLine& words, const Registry& solvers);
void add_list(Command& program, const Registry& solvers);
void add_conformance(Command& program, const Registry& solvers);
void add_judge(Command& program);
void add_inverse(Command& program);
void add_info(Command& program);
void add_summary(Command& program);
void add_export(Command& program);
void add_merge(Command& program);
void add_rejudge(Command& program);
void add_compare(Command& program);
void add_generate(Command& program);
void add_convert(Command& program);
void add_dump(Command& program);
void add_extract(Command& program);
void add_datasets(Command& program);
void add_fetch(Command& program);
void add_make(Command& program);

}  // namespace frictionbench::app
