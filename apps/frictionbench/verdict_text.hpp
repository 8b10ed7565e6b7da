/// \file
#pragma once

#include <string>

#include "frictionbench/criteria/verdict.hpp"
#include "frictionbench/results/document/document.hpp"

namespace frictionbench::app {

/// Every residual of a verdict, absolute and scaled, a line each.
std::string verdict_text(const Verdict& verdict);

/// The one record of a document: outcome, work, time and verdict.
std::string record_text(const results::Document& document);

}  // namespace frictionbench::app
