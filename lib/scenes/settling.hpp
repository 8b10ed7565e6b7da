/// \file
/// Time stepping that gives the same world on every machine, to make data sets with.
#pragma once

#include <vector>

#include "frictionbench/scenes/dynamics.hpp"

namespace frictionbench::scenes {

/// Steps a world with a fixed number of projected Gauss-Seidel sweeps over the contacts (the
/// per-contact update of [LeLidec24] Alg. 6, on velocities rather than on W), started from the impulses of
/// the step before.
///
/// Scenes are settled with this and not with a registered solver, so that mending or tuning a
/// solver never changes the data that solvers are compared on. Two things make the outcome
/// reproducible: the work does not depend on a tolerance, and after each step positions, rotations
/// and velocities are rounded to multiples of 2^-24 (6e-8 m or m/s), so that a different last digit
/// in one step (another compiler, fused multiply-adds) is gone in the next instead of growing.
///
/// What the sweeps leave of an overlap is pushed apart here, by a fifth of it a step, or heaps of
/// uneven masses would sink into each other. The problems that are written know nothing of that.
///
/// One object follows one world.
class Settling {
 public:
  /// \param sweeps per step, >= 1.
  explicit Settling(int sweeps = 200) : sweeps_(sweeps) {}

  /// Detects contacts, finds an impulse, moves the bodies.
  void step(World& world);

  /// The impulse (m) after the sweeps. `push_apart` is the part of an overlap undone in a step.
  Vector impulse(const World& world, const std::vector<Contact>& contacts, double push_apart = 0);

 private:
  struct Response {
    Vector r;  ///< impulse, m
    Vector v;  ///< velocity at the end of the step, n
  };
  Response respond(const World& world, const std::vector<Contact>& contacts, double push_apart);
  Vector remembered(int dimension, const std::vector<Contact>& contacts) const;

  int sweeps_;
  Vector impulse_;                 ///< of the last step
  std::vector<Contact> contacts_;  ///< of the last step
};

}  // namespace frictionbench::scenes
