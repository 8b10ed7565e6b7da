/// \file
/// A model in MuJoCo's format that contact impulses move, whatever solver they are from.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "frictionbench/mujoco/model.hpp"
#include "frictionbench/simulation/motion.hpp"

namespace frictionbench::mujoco {

/// A model that impulses move, and what there is to say about it.
struct MovedModel {
  std::unique_ptr<simulation::Motion> motion;  ///< never null
  std::vector<std::string> bodies;             ///< names; an empty one where the model has none
  int dofs = 0;                                ///< n
  int actuators = 0;                           ///< number of controls
  /// What is not as the model says, one line each: another integrator.
  std::vector<std::string> notes;
};

/// Puts a model where it starts.
///
/// The problem of a step is that of extract() in the same state (Step), its start the impulses of the same
/// contacts and joints in the step before. The velocity after the step is v+ = M^-1 (H r + f); positions,
/// rotations, activations and the time follow from it as in MuJoCo's semi-implicit Euler step. With
/// push_apart = b > 0, w is
///
///     contacts and limits that overlap    b gap / h
///     connect, weld and couplings         b error / h
///
/// so that such a problem differs from the extracted one in w alone. Frames have the geoms that collide, and
/// the others of bodies that have none of these; meshes and height fields are drawn as boxes that hold them.
///
/// \param after steps that MuJoCo makes first, with its own soft contacts, as extract() does.
/// \throws FileError as extract() does; the motion names the step. std::runtime_error if the library was
///         built without MuJoCo.
MovedModel make_motion(const ModelSettings& settings, int after = 0);

}  // namespace frictionbench::mujoco
