/// \file
/// A verdict as text.
#pragma once

#include <string>

#include "frictionbench/results/document/document.hpp"

namespace frictionbench::app {

/// Every residual of the record's verdict, absolute and in units, a line each; then the model that
/// the solver made of the problem, if it made one, and the states of the contacts.
/// \pre record.verdict.
std::string verdict_text(const results::Record& record);

}  // namespace frictionbench::app
