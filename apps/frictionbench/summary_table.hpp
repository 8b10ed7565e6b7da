/// \file
#pragma once

#include <string>

#include "frictionbench/results/document.hpp"

namespace frictionbench::app {

/// The summary of a document as text: how it was judged, a table of families and solvers, and what
/// was left out.
std::string summary_text(const results::Document& document);

}  // namespace frictionbench::app
