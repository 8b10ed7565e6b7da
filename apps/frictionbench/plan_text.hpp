/// \file
/// What `run --dry-run` prints.
#pragma once

#include <string>
#include <vector>

#include "frictionbench/bench/plan/plan.hpp"

namespace frictionbench::app {

/// Pairs and estimated time by family, sequences, refusals grouped by solver and reason, unreadable
/// files.
std::string plan_text(const bench::Plan& plan, const std::vector<bench::Refusal>& refusals,
                      const std::vector<ConfiguredSolver>& solvers,
                      const results::RunSettings& settings);

/// "12 problems x 4 solvers = 48 pairs", or the part of it that a shard has.
std::string plan_size_text(const bench::Plan& plan, std::size_t solvers);

}  // namespace frictionbench::app
