/// \file
/// The two parts of the list of checks.
#pragma once

#include <vector>

#include "frictionbench/bench/conformance/conformance.hpp"

namespace frictionbench::bench::conformance {

/// Problems that are to be solved.
std::vector<Check> checks_of_answers();

/// What a solver does about what it does not take, its start, its limits, and all that is not its own.
std::vector<Check> checks_of_conduct();

}  // namespace frictionbench::bench::conformance
