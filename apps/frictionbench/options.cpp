#include "options.hpp"

#include <algorithm>

namespace frictionbench::app {

void MeasureFlags::add_to(CLI::App& command) {
  command.add_option("--tolerance", values.tolerance, "residual that counts as solved")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command
      .add_option(
          "--criterion", criterion,
          "what is judged: ncp, ccp and lcp are absolute residuals in the units of the file, "
          "ncp_scaled and ccp_scaled do not depend on units, native is each solver's own model")
      ->capture_default_str()
      ->check(CLI::IsMember({"ncp", "ncp_scaled", "ccp", "ccp_scaled", "lcp", "native"}));
  command.add_option("--max-iterations", values.max_iterations, "iteration limit of a solve")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command.add_option("--time-limit", values.time_limit, "wall-clock limit of a solve, in seconds")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command
      .add_option(
          "--repeat-time", values.repeat_time,
          "a solve is repeated until its samples add up to so many seconds; 0 takes one sample")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
}

bench::MeasureOptions MeasureFlags::measure_options() const {
  bench::MeasureOptions options = values;
  options.criterion = criterion_from_name(criterion);
  return options;
}

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
