/// \file
/// Simulating a scene with any solver: what it costs, and what the solver makes of the motion.
#pragma once

#include <optional>
#include <vector>

#include "frictionbench/criteria/verdict.hpp"
#include "frictionbench/scenes/dynamics.hpp"
#include "frictionbench/solver/registry.hpp"

namespace frictionbench::scenes {

/// Where the solves of a simulation start.
enum class Starts { warm, cold, both };
constexpr auto describe(Starts) {
  using enum Starts;
  return enum_names<Starts>(
      "start", {{warm, "warm", "from the impulses of the same contacts in the step before"},
                {cold, "cold", "from zero"},
                {both, "both", "warm, and once more from zero, which the motion does not see"}});
}

/// The theta-method of a step ([Castro22] section II-C): forces of springs act at q^theta, and positions move by
/// theta_vq v + (1 - theta_vq) v_0.
enum class Scheme { symplectic, midpoint, implicit, explicit_ };
constexpr auto describe(Scheme) {
  using enum Scheme;
  return enum_names<Scheme>(
      "scheme", {{symplectic, "symplectic", "symplectic Euler, theta = 0 and theta_vq = 1"},
                 {midpoint, "midpoint", "midpoint rule, both 1/2: second order"},
                 {implicit, "implicit", "implicit Euler, both 1"},
                 {explicit_, "explicit", "explicit Euler, both 0"}});
}

/// How a step is made, and judged.
struct SimulationSettings {
  Scale scale = Scale::relative;       ///< of residuals; not force
  double tolerance = 1e-6;             ///< on the residual of the solver's own model
  int max_iterations = 20000;          ///< of a solve
  double time_limit = 10;              ///< of a solve, s
  Starts start = Starts::warm;         ///< of the solves
  Scheme scheme = Scheme::symplectic;  ///< theta-method
  double restitution = 0;              ///< Newton's coefficient e
  double push_apart = 0;               ///< fraction of an overlap that is corrected in a step
  double stiffness = 0;                ///< k of contacts along their normals, N/m; 0: rigid
  double relaxation_time = 0;          ///< damping over stiffness, s
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
  visit("scheme", settings.scheme,
        {.help =
             "theta-method for springs and positions; contacts with stiffness are closed by where "
             "it puts the bodies"});
  visit("restitution", settings.restitution,
        {.help = "Newton's coefficient of restitution of contacts that close faster than gravity "
                 "makes them in two steps",
         .range = {.low = 0, .high = 1}});
  visit("push_apart", settings.push_apart,
        {.help = "fraction of an overlap that is corrected in a step (Baumgarte)",
         .range = {.low = 0, .high = 1}});
  visit("stiffness", settings.stiffness,
        {.help = "of the springs that contacts are, along their normals; 0: rigid",
         .unit = "N/m",
         .range = at_least(0)});
  visit(
      "relaxation_time", settings.relaxation_time,
      {.help = "damping of these springs over their stiffness", .unit = "s", .range = at_least(0)});
}

/// One step of a simulation. Energies are those of the bodies at its end.
struct SimulationStep {
  int step = 0;                       ///< from 1
  double time = 0;                    ///< at its end, s
  Index contacts = 0;                 ///< contacts of the step
  Verdict::States states;             ///< of these contacts
  Status status = Status::converged;  ///< as the solver says
  bool solved = true;                 ///< as the verdict says
  double residual = 0;                ///< of the solver's own model, in the scale of the settings
  int iterations = 0;                 ///< of the solve
  double solve_time = 0;              ///< s; one sample
  std::optional<bool> cold_solved = {};        ///< of the solve from zero, if there was one
  std::optional<int> cold_iterations = {};     ///< the same
  std::optional<double> cold_solve_time = {};  ///< the same, s
  double kinetic_energy = 0;                   ///< J
  double potential_energy = 0;                 ///< J, of gravity, zero at the origin, and springs
  double overlap = 0;                          ///< largest, at the start of the step, m
  double creep = 0;                            ///< Verdict::creep, m/s
  double lift = 0;                             ///< Verdict::lift, m/s
  double impulse = 0;                          ///< ||r||, N s
};
void describe(auto& visit, Is<SimulationStep> auto& step) {
  visit("step", step.step, counted("number of the step, from 1"));
  visit("time", step.time, {.help = "at the end of the step", .unit = "s"});
  visit("contacts", step.contacts, counted("contacts of the step"));
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
  visit("impulse", step.impulse, measured("norm of all contact impulses", "N s"));
}

/// A scene that a solver moves: each step takes the impulse that it returns, even if that does not solve the step.
///
/// Steps are those of global_form(), with these changes of w_N and the compliance R:
///
///     gap <= 0, push_apart = b          w_N = b gap / h
///     stiffness k, relaxation time t    w_N = (gap + h (1 - theta_vq) u_N^-) / s,   R_N = 1 / (h k s),
///                                       s = h theta_vq + t                       [Castro22] (8) with (12)
///     restitution e, contacts closing   w_N = e u_N^-
///
/// and of M and f for the springs K of the world, for a theta other than 0 ([Castro22] (7), (15)):
///
///     M + h^2 theta theta_vq K,     f - h^2 theta (1 - theta_vq) K v_0
///
/// A contact bounces in the step in which it would close by its velocity before the step, u_N^- < -2 h ||g||:
/// up to h |u_N^-| too early.
class Simulation {
 public:
  /// \throws std::invalid_argument for settings that exclude each other.
  Simulation(World world, ConfiguredSolver solver, const SimulationSettings& settings);

  /// \throws UnsupportedContact; std::runtime_error if the impulse is not finite. The world stays as it was.
  SimulationStep step();

  double time() const { return steps_ * world_.time_step; }  ///< after the steps made, s

  const World& world() const { return world_; }                       ///< after the steps made
  const std::vector<Contact>& contacts() const { return contacts_; }  ///< of the last step
  const Vector& impulse() const { return impulse_; }                  ///< of the last step, m

 private:
  struct Timed {
    Result result;
    double seconds = 0;
  };
  ContactProblem problem(const std::vector<Contact>& contacts) const;
  Timed solve(const ContactProblem& problem, const Vector& start) const;

  World world_;
  ConfiguredSolver solver_;
  SimulationSettings settings_;
  std::vector<Contact> contacts_;
  Vector impulse_;
  int steps_ = 0;
};

/// Sums of m v^2 / 2 + ω.I ω / 2, J.
double kinetic_energy(const World& world);
/// Sum of -m g.x, and of springs, J.
double potential_energy(const World& world);

}  // namespace frictionbench::scenes
