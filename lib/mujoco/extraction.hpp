/// \file
/// Contact problems of models in MuJoCo's format: robots, mechanisms and bodies, simulated by MuJoCo.
///
/// MuJoCo detects the collisions, computes the mass matrix and the forces, and moves the model. Each step
/// is also a problem with rigid contacts, Coulomb's law and hard limits, which is what is extracted.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "frictionbench/fclib/problem_file.hpp"
#include "frictionbench/mujoco/model.hpp"

namespace frictionbench::mujoco {

/// What to simulate, and which steps to extract.
struct Simulation : ModelSettings {
  int steps = 1000;  ///< to simulate, >= 0
  int every = 10;    ///< extracts the steps 0, every, 2 every, ... below `steps`; >= 1
  /// Only contacts become blocks: MuJoCo's own forces of all other constraints are given loads in f, for
  /// solvers that take contacts alone.
  bool contacts_only = false;
};

/// How well a problem agrees with MuJoCo: the balance of momentum of its own step, with its impulses r and
/// its velocity v+ in M (v+ - v) - h forces - H r. Largest component, relative to the largest sum of
/// magnitudes of these terms in a component.
struct Balance {
  double error = 0;  ///< without what MuJoCo's solver left: round-off
  /// What MuJoCo's solver left unbalanced when it stopped: its tolerance, which is the model's.
  double left_by_solver = 0;
};

/// A step of a simulation as a problem.
///
///     M v+ = H r + f,   u = H^T v+ + w
///
///   M  the joint-space inertia, with armature, plus h times the damping of joints, which MuJoCo's Euler
///      step treats implicitly
///   f  M v + h (passive + actuator + applied - bias forces), with the velocity v before the step;
///      springs, tendons, fluids, adhesion and gravity are in these forces, and with contacts_only MuJoCo's
///      forces of the constraints that are not contacts
///   H  the transposed Jacobian of all constraints that MuJoCo's solver has in this step, in this order:
///
///     friction(mu)           contacts of condim 1 (mu = 0) and of condim 3 if both tangents have the same
///                            mu; normal from the first geom to the second, then MuJoCo's tangents
///     equality(1, 3 or 6)    connect, weld, and couplings of joints and tendons
///     elliptic(mu_1, ..)     contacts of condim 3 with two coefficients, 4 and 6: with torsion, and with
///                            torsion and rolling; MuJoCo's elliptic cone
///     interval(0, inf)       limits of joints and tendons
///     interval(-h c, h c)    dry friction of joints and tendons
///
///   w  max(gap, 0) / h for contacts and limits, 0 otherwise: overlap and open joints are not corrected
///
/// A contact belongs to the problem if MuJoCo's solver has it: closer than margin - gap, not excluded.
/// Pyramids of a model with pyramidal cones become the cones that they approximate.
struct Step {
  int number = 0;  ///< steps taken before it
  /// The problem in global form. The first guess has MuJoCo's impulses of the step before, block by block,
  /// and the velocities before this step; the first step of a simulation has no guess. `bodies` are the
  /// bodies of a contact, and a number for the contact that stays the same from step to step.
  fclib::ProblemFile file;
  Balance balance;  ///< of this step
};

/// What a simulation was.
struct Extract {
  std::string name;      ///< of the model's file, without folder and extension
  int dofs = 0;          ///< n
  int actuators = 0;     ///< number of controls
  double time_step = 0;  ///< h, s
  int steps = 0;         ///< extracted
  Balance balance;       ///< the worst of all steps, also of those that were not extracted
  std::map<std::string, long> blocks;  ///< of extracted steps, by kind of set
  /// What the problems have other than the model, one line each: another integrator.
  std::vector<std::string> notes;
};

/// A Balance::error of more than this means that the problem is not MuJoCo's step.
inline constexpr double largest_imbalance = 1e-9;

/// Simulates a model, and gives each chosen step to `take`, in order.
/// \throws FileError for a model or control file that cannot be read or is wrong, or a model that MuJoCo
///         cannot simulate: unstable, too many contacts for its buffers, or imbalanced;
///         std::runtime_error if the library was built without MuJoCo.
Extract extract(const Simulation& simulation, const std::function<void(Step)>& take);

}  // namespace frictionbench::mujoco
