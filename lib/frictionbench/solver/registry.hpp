/// \file
/// The explicit table of solvers, and the text form of a solver with its settings:
/// `ncp-admm(rho_update=linear,tau=4)`.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "frictionbench/solver/settings.hpp"
#include "frictionbench/solver/solver.hpp"

namespace frictionbench {

/// A solver ready to run.
struct ConfiguredSolver {
  std::string id;           ///< canonical text: name, and the settings that are not default
  nlohmann::json settings;  ///< every setting, defaults included
  std::shared_ptr<const Solver> solver;

  const SolverInfo& info() const { return solver->info(); }
};

/// A registered solver: what help text, docs and results know about it.
struct RegisteredSolver {
  SolverInfo info;
  std::vector<SettingField> fields;  ///< with defaults; for reading only
  std::vector<SettingShorthand> shorthands;
  /// Makes the solver with (name, value) assignments applied to its default settings.
  /// \throws std::invalid_argument for an unknown setting or an illegal value.
  std::function<ConfiguredSolver(const std::vector<std::pair<std::string, std::string>>&)> make;
};

class Registry {
 public:
  /// Registers SolverType under SolverType::info().name.
  /// \throws std::logic_error if that name is taken.
  template <typename SolverType>
  void add();

  const std::vector<RegisteredSolver>& solvers() const { return solvers_; }  ///< in order of names

  /// \throws std::invalid_argument, with the nearest known names, if there is no such solver.
  const RegisteredSolver& find(const std::string& name) const;

  /// Makes a solver from `name` or `name(setting=value,...)`.
  /// \throws std::invalid_argument if the text is malformed, or names an unknown solver or setting.
  ConfiguredSolver make(const std::string& spec) const;

 private:
  void insert(RegisteredSolver solver);

  std::vector<RegisteredSolver> solvers_;
};

/// Splits `name(a=1,b=2)`. A value may be such a text itself: `name(inner=other(c=3,d=4))`.
/// \throws std::invalid_argument if it is malformed.
std::pair<std::string, std::vector<std::pair<std::string, std::string>>> parse_solver_spec(
    const std::string& spec);

/// Applies assignments to the fields, presets first.
/// \throws std::invalid_argument for an unknown setting or an illegal value.
void assign(SettingFields& fields,
            const std::vector<std::pair<std::string, std::string>>& assignments);

/// What an id leaves out: the values that `fields`, at their defaults, have after the presets among
/// the assignments, but for the fields that chose the presets.
nlohmann::json implied_values(SettingFields& fields,
                              const std::vector<std::pair<std::string, std::string>>& assignments);

/// The canonical id of `name` with these settings: those that differ from `implied`, shorthands
/// used where they cover all of their fields with one value.
std::string canonical_id(const std::string& name, const SettingFields& settings,
                         const nlohmann::json& implied);

template <typename SolverType>
void Registry::add() {
  using Settings = typename SolverType::Settings;

  // The fields refer to the instance that they describe, so it lives as long as they do.
  auto defaults = std::make_shared<Settings>();
  SettingFields described;
  defaults->describe(described);

  RegisteredSolver entry;
  entry.info = SolverType::info();
  entry.shorthands = described.shorthands();
  entry.fields = described.fields();
  for (SettingField& field : entry.fields) {
    field.get = [defaults, get = std::move(field.get)] { return get(); };
    field.set = nullptr;
  }
  entry.make = [name = entry.info.name](
                   const std::vector<std::pair<std::string, std::string>>& assignments) {
    Settings settings, preset;
    SettingFields fields, preset_fields;
    settings.describe(fields);
    preset.describe(preset_fields);
    assign(fields, assignments);
    return ConfiguredSolver{canonical_id(name, fields, implied_values(preset_fields, assignments)),
                            fields.to_json(), std::make_shared<SolverType>(settings)};
  };
  insert(std::move(entry));
}

}  // namespace frictionbench
