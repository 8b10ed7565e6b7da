/// \file
/// A simulation in a few lines, for people.
#pragma once

#include <string>

#include "frictionbench/simulation/document.hpp"

namespace frictionbench::app {

/// How many steps were solved, a table of what the steps with contacts or joints are like, and energies.
std::string summary_text(const simulation::SimulationDocument& document);

}  // namespace frictionbench::app
