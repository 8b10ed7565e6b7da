/// \file
/// The table of solvers, and the text form of a solver with its settings:
/// `ncp-admm(rho_update=linear,tau=4)`.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "frictionbench/solver/bilateral.hpp"
#include "frictionbench/solver/settings.hpp"
#include "frictionbench/solver/solve.hpp"

namespace frictionbench {

/// A solver ready to run.
struct ConfiguredSolver {
  std::string id;          ///< canonical text: name, and the settings that are not default
  SettingValues settings;  ///< every setting, defaults included
  std::shared_ptr<const Solver> solver;  ///< never null; copies share it

  const SolverInfo& info() const { return solver->info(); }  ///< as its settings adapt it
};

/// A registered solver: its description for help and results, and how to make it.
struct RegisteredSolver {
  SolverInfo info;  ///< at default settings
  /// A setting without a default, which `make` refuses to go without; empty if there is none.
  std::string required = {};
  std::vector<SettingDescription> settings;  ///< in the order of help
  std::vector<SettingShorthand> shorthands;  ///< empty if it has none
  /// Makes the solver with assignments applied to its default settings, and inner solvers from the
  /// registry. \throws std::invalid_argument for an unknown setting or an illegal value.
  std::function<ConfiguredSolver(const Assignments&, const Registry&)> make;
};

/// The entry of a solver: what it is, and a function that solves with given settings. Two entries
/// may share one function, which asks Solve::model(). All that take contacts have the setting
/// `bilateral` as well.
///
/// Settings that also have `void adapt(SolverInfo&) const` say there how they change what the
/// solver is or takes.
template <DescribedSettings Settings>
RegisteredSolver solver_entry(SolverInfo info, void (*run)(const Settings&, Solve&));

/// The solvers of a program, by name.
class Registry {
 public:
  /// \throws std::logic_error if its name is taken.
  void add(RegisteredSolver solver);

  const std::vector<RegisteredSolver>& solvers() const { return solvers_; }  ///< in order of names

  /// Names of the solvers that run as they are: those without a required setting.
  std::vector<std::string> ready_names() const;

  /// Former names are accepted. \throws std::invalid_argument, with the nearest known names, if
  /// there is no such solver.
  const RegisteredSolver& find(const std::string& name) const;

  /// Makes a solver from `name` or `name(setting=value,...)`.
  /// \throws std::invalid_argument if the text is malformed, or names an unknown solver or setting.
  ConfiguredSolver make(const std::string& spec) const;

 private:
  std::vector<RegisteredSolver> solvers_;
};

/// Splits `name(a=1,b=2)`. A value may be such a text itself, `name(inner=other(c=3,d=4))`, or stand in
/// single quotes, which are taken off: `name(text='a, b')`; a quote in it is written twice.
/// \throws std::invalid_argument if it is malformed.
std::pair<std::string, Assignments> parse_solver_spec(const std::string& spec);

/// The canonical id of `name` with the settings of `fields`: those that differ from `implied`
/// (SettingFields::implied_values), shorthands used where they cover all of their settings.
std::string canonical_id(const std::string& name, const SettingFields& fields,
                         const SettingValues& implied);

template <DescribedSettings Settings>
RegisteredSolver solver_entry(SolverInfo info, void (*run)(const Settings&, Solve&)) {
  Settings defaults;
  SettingFields described;
  defaults.describe(described);
  Bilateral default_bilateral = info.bilateral;
  describe_bilateral(described, default_bilateral, info);
  const auto make = [info, run](const Assignments& assignments, const Registry& registry) {
    Settings settings, preset;
    SolverInfo adapted = info, preset_info = info;
    SettingFields fields, preset_fields;
    settings.describe(fields);
    describe_bilateral(fields, adapted.bilateral, info);
    preset.describe(preset_fields);
    describe_bilateral(preset_fields, preset_info.bilateral, info);
    fields.assign(assignments);
    fields.resolve(registry);
    if constexpr (requires { settings.validate(); }) settings.validate();
    if constexpr (requires { settings.adapt(adapted); }) settings.adapt(adapted);
    const auto solve_once = [settings, run, adapted](const ContactProblem& problem,
                                                     const Limits& limits, const Vector& start,
                                                     Observer& observer, Result memory) {
      Solve solve(adapted, problem, limits, start, observer, std::move(memory));
      run(settings, solve);
      return solve.finish();
    };
    return ConfiguredSolver{
        canonical_id(info.name, fields, preset_fields.implied_values(assignments)), fields.values(),
        std::make_shared<Solver>(adapted, solve_once)};
  };
  return {std::move(info), {}, described.descriptions(), described.shorthands(), make};
}

}  // namespace frictionbench
