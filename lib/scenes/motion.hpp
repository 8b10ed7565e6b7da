/// \file
/// A scene that impulses move.
#pragma once

#include <optional>
#include <vector>

#include "frictionbench/base/describe.hpp"
#include "frictionbench/scenes/dynamics.hpp"
#include "frictionbench/simulation/motion.hpp"

namespace frictionbench::scenes {

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

/// How the steps of a scene are made.
struct MotionSettings {
  Scheme scheme = Scheme::symplectic;  ///< theta-method
  double restitution = 0;              ///< Newton's coefficient e
  double stiffness = 0;                ///< k of contacts along their normals, N/m; 0: rigid
  double relaxation_time = 0;          ///< damping over stiffness, s
};
void describe(auto& visit, Is<MotionSettings> auto& settings) {
  visit("scheme", settings.scheme,
        {.help =
             "theta-method for springs and positions; contacts with stiffness are closed by where "
             "it puts the bodies"});
  visit("restitution", settings.restitution,
        {.help = "Newton's coefficient of restitution of contacts that close faster than gravity "
                 "makes them in two steps",
         .range = {.low = 0, .high = 1}});
  visit("stiffness", settings.stiffness,
        {.help = "of the springs that contacts are, along their normals; 0: rigid",
         .unit = "N/m",
         .range = at_least(0)});
  visit(
      "relaxation_time", settings.relaxation_time,
      {.help = "damping of these springs over their stiffness", .unit = "s", .range = at_least(0)});
}

/// A world in motion.
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
class WorldMotion final : public simulation::Motion {
 public:
  /// \throws std::invalid_argument for settings that exclude each other.
  explicit WorldMotion(World world, const MotionSettings& settings = {});

  /// \throws UnsupportedContact; std::invalid_argument to push springs apart.
  simulation::StepProblem next(double push_apart) override;
  void move(const Vector& r) override;
  double time_step() const override { return world_.time_step; }
  simulation::Energies energies() const override;
  simulation::Frame frame() const override;

  const World& world() const { return world_; }  ///< after the steps made

 private:
  ContactProblem problem(const std::vector<Contact>& contacts, double push_apart) const;

  World world_;
  MotionSettings settings_;
  std::vector<Contact> contacts_, next_contacts_;  // of the last step, and of the one that is next
  std::optional<ContactProblem> next_;
  Vector impulse_;  // of the last step
};

/// Sums of m v^2 / 2 + ω.I ω / 2, J.
double kinetic_energy(const World& world);
/// Sum of -m g.x, and of springs, J.
double potential_energy(const World& world);

}  // namespace frictionbench::scenes
