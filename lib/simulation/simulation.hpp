/// \file
/// Moving something by the impulses of any solver: what that costs, and what becomes of the motion.
#pragma once

#include <optional>

#include "frictionbench/criteria/verdict.hpp"
#include "frictionbench/simulation/motion.hpp"
#include "frictionbench/solver/registry.hpp"

namespace frictionbench::simulation {

/// Where the solves of a simulation start.
enum class Starts { warm, cold, both };
constexpr auto describe(Starts) {
  using enum Starts;
  return enum_names<Starts>(
      "start", {{warm, "warm", "from the impulses of the same contacts in the step before"},
                {cold, "cold", "from zero"},
                {both, "both", "warm, and once more from zero, which the motion does not see"}});
}

/// How the steps of any simulation are solved, and judged.
struct SimulationSettings {
  Scale scale = Scale::relative;  ///< of residuals; not force
  double tolerance = 1e-6;        ///< on the residual of the solver's own model
  int max_iterations = 20000;     ///< of a solve
  double time_limit = 10;         ///< of a solve, s
  Starts start = Starts::warm;    ///< of the solves
  double push_apart = 0;          ///< fraction of an overlap that is corrected in a step
};
void describe(auto& visit, Is<SimulationSettings> auto& settings) {
  visit("scale", settings.scale, {.help = "units of residuals, as of `frictionbench run`"});
  visit("tolerance", settings.tolerance,
        {.help = "residual of the solver's own model that counts as solved", .range = positive()});
  visit("max_iterations", settings.max_iterations,
        {.help = "iteration limit of a solve", .range = at_least(1)});
  visit("time_limit", settings.time_limit,
        {.help = "wall-clock limit of a solve, which the solver checks",
         .unit = "s",
         .range = positive()});
  visit("start", settings.start,
        {.help = "where a solve starts; warm: from the impulses of the same contacts in the step "
                 "before; cold: from zero; both: warm, and timed from zero, too"});
  visit(
      "push_apart", settings.push_apart,
      {.help = "fraction of an overlap that is corrected in a step (Baumgarte); in models also of "
               "what has opened at connect, weld and couplings",
       .range = {.low = 0, .high = 1}});
}

/// One step of a simulation. Energies are those at its end.
struct SimulationStep {
  int step = 0;                       ///< from 1
  double time = 0;                    ///< at its end, s
  Index contacts = 0;                 ///< contacts of the step
  Index other_blocks = 0;             ///< joints, limits and other blocks of the step
  Verdict::States states;             ///< of the contacts
  Status status = Status::converged;  ///< as the solver says
  bool solved = true;                 ///< as the verdict says
  double residual = 0;                ///< of the solver's own model, in the scale of the settings
  int iterations = 0;                 ///< of the solve
  double solve_time = 0;              ///< s; one sample
  std::optional<bool> cold_solved = {};        ///< of the solve from zero, if there was one
  std::optional<int> cold_iterations = {};     ///< the same
  std::optional<double> cold_solve_time = {};  ///< the same, s
  double kinetic_energy = 0;                   ///< Energies::kinetic, J
  double potential_energy = 0;                 ///< Energies::potential, J
  double overlap = 0;                          ///< largest, at the start of the step, m
  double creep = 0;                            ///< Verdict::creep, m/s
  double lift = 0;                             ///< Verdict::lift, m/s
  double impulse = 0;                          ///< ||r||, N s
};
void describe(auto& visit, Is<SimulationStep> auto& step) {
  visit("step", step.step, counted("number of the step, from 1"));
  visit("time", step.time, {.help = "at the end of the step", .unit = "s"});
  visit("contacts", step.contacts, counted("contacts of the step"));
  visit("other_blocks", step.other_blocks, counted("joints, limits and other blocks of the step"));
  visit("sticking", step.states.sticking, counted("contacts that stick"));
  visit("sliding", step.states.sliding, counted("contacts that slide"));
  visit("separated", step.states.separated, counted("contacts that are open"));
  visit("status", step.status, {.help = "how the solve ended, as the solver says"});
  visit("solved", step.solved, {.help = "whether the verdict agrees"});
  visit("residual", step.residual, measured("of the solver's own model"));
  visit("iterations", step.iterations, counted("of the solve"));
  visit("solve_time", step.solve_time, measured("of the solve, one sample", "s"));
  visit("cold_solved", step.cold_solved, {.help = "the same of the solve from zero"});
  visit("cold_iterations", step.cold_iterations, counted("of the solve from zero"));
  visit("cold_solve_time", step.cold_solve_time, measured("of the solve from zero", "s"));
  visit("kinetic_energy", step.kinetic_energy, measured("of all bodies", "J"));
  visit("potential_energy", step.potential_energy,
        {.help = "of gravity, zero at the origin, and springs", .unit = "J"});
  visit("overlap", step.overlap, measured("the largest, before the step", "m"));
  visit("creep", step.creep, measured("largest speed of a contact that should stick", "m/s"));
  visit("lift", step.lift, measured("largest speed at which a loaded contact opens", "m/s"));
  visit("impulse", step.impulse, measured("norm of all impulses", "N s"));
}

/// A motion by the impulses of a solver: each step takes the impulse that it returns, even if that does not
/// solve the step.
class Simulation {
 public:
  /// \param motion is moved, and must outlive the simulation.
  /// \throws std::invalid_argument for settings that exclude each other.
  Simulation(Motion& motion, ConfiguredSolver solver, const SimulationSettings& settings);

  /// \throws std::runtime_error if the step cannot be made, the solver does not take its problem, or the
  ///         impulse is not finite; then nothing has moved.
  SimulationStep step();

  double time() const { return steps_ * motion_.time_step(); }  ///< after the steps made, s
  const Vector& impulse() const { return impulse_; }            ///< of the last step, m
  Frame frame() const;  ///< of the motion, at the time of the simulation

 private:
  struct Timed {
    Result result;
    double seconds = 0;
  };
  Timed solve(const ContactProblem& problem, const Vector& start) const;

  Motion& motion_;
  ConfiguredSolver solver_;
  SimulationSettings settings_;
  Vector impulse_;
  int steps_ = 0;
};

}  // namespace frictionbench::simulation
