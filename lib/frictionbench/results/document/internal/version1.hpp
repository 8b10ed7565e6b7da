/// \file
/// Results documents of version 1, brought to the form of today, and names that have changed since.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>

#include "frictionbench/results/document/document.hpp"

namespace frictionbench::results {

/// Each does nothing to an object that is not of version 1, or not an object.
void update_run(nlohmann::json& run);
void update_solver(nlohmann::json& solver);
void update_record(nlohmann::json& record);

/// The test and the stage that ended a solve, from what solvers and version 1 called `fired`: the name
/// of either. \param status how the solve ended, for those that no test ended.
std::pair<StopReason, std::string> end_of_version_1(const std::string& fired, Status status);

/// What version 1 did not record, as far as it follows from what it did.
void complete(Document& document);

}  // namespace frictionbench::results
