/// \file
#pragma once

#include <string>
#include <vector>

#include "frictionbench/results/document/document.hpp"

namespace frictionbench::bench {

/// What the records of a finished run tell that makes its numbers less trustworthy, a line each:
/// times that spread, friction that hides penetration, and starts that files do not have.
std::vector<std::string> warnings_of_records(const results::Document& document);

}  // namespace frictionbench::bench
