/// \file
/// What a registered solver is and can be set to, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "frictionbench/solver/registry.hpp"

namespace frictionbench::results {

/// An item of `frictionbench list solvers --json`: name, model, summary, exact, sources,
/// needs_global_form, dimensions, contacts, every_set, zero_diagonal, settings and shorthands.
nlohmann::json to_json(const RegisteredSolver& solver);

}  // namespace frictionbench::results
