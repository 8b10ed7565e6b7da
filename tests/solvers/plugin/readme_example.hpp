/// \file
/// The solver that solvers/README.md shows, which is compiled from that page.
#pragma once

#include "frictionbench/solver/registry.hpp"

namespace frictionbench::test {

/// All solvers, and that one: "ccp-gradient".
Registry solvers_with_readme_example();

}  // namespace frictionbench::test
