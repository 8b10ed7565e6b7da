/// \file
/// Results documents of version 1, brought to the current form, and names that have changed since.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "frictionbench/results/document/document.hpp"

namespace frictionbench::results {

/// Each does nothing to an object that is not of version 1, or not an object.
void update_run(nlohmann::json& run);
void update_problem(nlohmann::json& problem);
void update_solver(nlohmann::json& solver);
void update_record(nlohmann::json& record);

/// What version 1 did not record, as far as it follows from what it did.
void complete(Document& document);

}  // namespace frictionbench::results
