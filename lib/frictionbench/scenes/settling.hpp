/// \file
/// Time stepping that gives the same world on every machine, to make data sets with.
#pragma once

#include "frictionbench/scenes/dynamics.hpp"

namespace frictionbench::scenes {

/// Steps a world with a fixed number of projected Gauss-Seidel sweeps over the contacts (the
/// per-contact update of L Alg. 6, on velocities rather than on W).
///
/// Scenes are settled with this and not with a registered solver, so that mending or tuning a
/// solver never changes the data that solvers are compared on. Two things make the outcome
/// reproducible: the work does not depend on a tolerance, and after each step positions, rotations
/// and velocities are rounded to multiples of 2^-24 (6e-8 m or m/s), so that a different last digit
/// in one step (another compiler, fused multiply-adds) is gone in the next instead of growing.
class Settling {
 public:
  /// \param sweeps per step, >= 1.
  explicit Settling(int sweeps = 100) : sweeps_(sweeps) {}

  void step(World& world) const;

  /// The impulse (m) after the sweeps, started from zero.
  Vector impulse(const World& world, const std::vector<Contact>& contacts) const;

 private:
  int sweeps_;
};

}  // namespace frictionbench::scenes
