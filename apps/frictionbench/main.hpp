/// \file
/// The whole command line, for programs with solvers of their own.
#pragma once

#include "frictionbench/solver/registry.hpp"

namespace frictionbench {

/// The program `frictionbench` with these solvers. A program of one's own is
///
///     int main(int argc, char** argv) {
///       frictionbench::Registry solvers = frictionbench::solvers::all_solvers();
///       solvers.add(my_solver());
///       return frictionbench::main(argc, argv, solvers);
///     }
///
/// \returns the exit code.
int main(int argc, char** argv, const Registry& solvers);

}  // namespace frictionbench
