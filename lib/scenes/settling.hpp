/// \file
/// Time stepping for data sets, which gives the same world on every machine.
#pragma once

#include <vector>

#include "frictionbench/scenes/dynamics.hpp"

namespace frictionbench::scenes {

/// Steps a world with a fixed number of projected Gauss-Seidel sweeps over the contacts (the
/// per-contact update of [LeLidec24] Alg. 6, on velocities rather than on W), starting from the
/// impulses of the previous step.
///
/// Scenes are not settled with a registered solver, so that fixing or tuning a solver never changes
/// the data that solvers are compared on. The result is reproducible for two reasons: the work does
/// not depend on a tolerance, and after each step positions, rotations and velocities are rounded
/// to multiples of 2^-24 (6e-8 m or m/s), so that a difference in the last digit (another compiler,
/// fused multiply-adds) disappears instead of growing.
///
/// A fifth of any remaining overlap is corrected in each step; otherwise heaps of uneven masses
/// would sink into each other. The problems that are written do not include this correction.
///
/// An object keeps the state of one world.
class Settling {
 public:
  /// \param sweeps per step, >= 1.
  explicit Settling(int sweeps = 200) : sweeps_(sweeps) {}

  /// Detects contacts, finds an impulse, moves the bodies. \throws as detect_contacts() and advance() do.
  void step(World& world);

  /// The impulse (m) after the sweeps.
  /// \param push_apart fraction of an overlap that is corrected in a step.
  Vector impulse(const World& world, const std::vector<Contact>& contacts, double push_apart = 0);

 private:
  struct Response {
    Vector r;  ///< impulse, m
    Vector v;  ///< velocity at the end of the step, n
  };
  Response respond(const World& world, const std::vector<Contact>& contacts, double push_apart);

  int sweeps_;
  Vector impulse_;                 ///< of the last step
  std::vector<Contact> contacts_;  ///< of the last step
};

}  // namespace frictionbench::scenes
