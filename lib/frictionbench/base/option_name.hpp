/// \file
/// Names of fields on the command line.
#pragma once

#include <algorithm>
#include <string>

namespace frictionbench {

/// The option of a field, setting or parameter: "--mass-ratio" for "mass_ratio".
inline std::string option_name(const std::string& field) {
  std::string option = "--" + field;
  std::replace(option.begin(), option.end(), '_', '-');
  return option;
}

}  // namespace frictionbench
