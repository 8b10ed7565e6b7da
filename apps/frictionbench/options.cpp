#include "options.hpp"

#include <algorithm>

namespace frictionbench::app {

std::vector<ConfiguredSolver> make_solvers(const Registry& registry,
                                           const std::vector<std::string>& specs) {
  std::vector<ConfiguredSolver> solvers;
  const auto add = [&](const std::string& spec) {
    ConfiguredSolver solver = registry.make(spec);
    const bool known = std::any_of(solvers.begin(), solvers.end(),
                                   [&](const ConfiguredSolver& s) { return s.id == solver.id; });
    if (!known) solvers.push_back(std::move(solver));
  };
  for (const std::string& spec : specs) add(spec);
  if (specs.empty())
    for (const RegisteredSolver& solver : registry.solvers()) add(solver.info.name);
  return solvers;
}

}  // namespace frictionbench::app
