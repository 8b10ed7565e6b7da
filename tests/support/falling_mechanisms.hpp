/// \file
/// Mechanisms that fall from rest, for tests that need joints, loops, limits, dry friction and contacts.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "support/mechanism.hpp"

namespace frictionbench::test {

/// A mechanism, and for how many steps it has something new to show.
struct FallingMechanism {
  std::string name;
  Mechanism (*make)();
  int steps;
};
inline std::ostream& operator<<(std::ostream& out, const FallingMechanism& falling) {
  return out << falling.name;
}

/// mounted_four_bar   three bars and the world: no contacts, and 3 of 20 rows of hinges too many
/// dropped_four_bar   four bars, a closed loop that falls on the ground askew and lies down flat
/// dropped_humanoid   14 bodies, knees straight and so at their limits; both hands hold a bar: a loop
std::vector<FallingMechanism> falling_mechanisms();

}  // namespace frictionbench::test
