/// \file
/// Names of solvers in earlier versions, which results files and command lines may still use.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace frictionbench {

/// A renamed solver.
struct FormerName {
  /// Registered name, then and now.
  /// @{
  std::string_view former, current;
  /// @}
};

/// All of them. A name that has changed stays here for good.
inline constexpr std::array former_solver_names{
    FormerName{"ccp-desaxce", "ncp-desaxce"},
};

/// The present name of a solver.
inline std::string_view current_solver_name(std::string_view name) {
  const auto found = std::find_if(former_solver_names.begin(), former_solver_names.end(),
                                  [&](const FormerName& known) { return known.former == name; });
  return found == former_solver_names.end() ? name : found->current;
}

/// The same for an id or a spec, `name(setting=value,...)`.
inline std::string current_solver_id(std::string_view id) {
  const std::string_view name = id.substr(0, id.find('('));
  return std::string(current_solver_name(name)).append(id.substr(name.size()));
}

}  // namespace frictionbench
