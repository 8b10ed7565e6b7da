/// \file
/// Options that several subcommands share, so that they mean the same everywhere.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "frictionbench/bench/measure/measure.hpp"
#include "frictionbench/solver/registry.hpp"

namespace frictionbench::app {

/// --tolerance, --criterion, --max-iterations, --time-limit, --repeat-time. CLI11 writes into text
/// and numbers; measure_options() makes of them what the library takes.
struct MeasureFlags {
  bench::MeasureOptions values;
  std::string criterion = "ncp";

  void add_to(CLI::App& command);
  bench::MeasureOptions measure_options() const;
};

/// --warm-start: zero, guess or solution. \param start receives the name of a results::Start.
void add_warm_start(CLI::App& command, std::string& start);

/// A check for options that take a whole number of at least `low`.
CLI::Validator whole_number(int low);

/// The solvers named by `specs`; all registered ones with their defaults if it is empty.
/// A solver named twice is taken once. \throws std::invalid_argument for unknown names or settings.
std::vector<ConfiguredSolver> make_solvers(const Registry& registry,
                                           const std::vector<std::string>& specs);

}  // namespace frictionbench::app
