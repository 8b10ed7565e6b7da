/// \file
/// The setting of solvers whose model is a friction pyramid.
#pragma once

#include <string>

#include "frictionbench/solver/settings.hpp"

namespace frictionbench {

/// Adds the setting `facets`, at least 3. The solver's adapt() is to pass it on to SolverInfo::facets.
/// \param source of the default.
void describe_facets(SettingFields& fields, int& facets, std::string source);

}  // namespace frictionbench
