/// \file
#pragma once

#include "frictionbench/math/types.hpp"

namespace frictionbench::solvers {

/// Lengths 1 / rho_i of steps in pseudo-time, one for each cone, as local time steps are used to reach
/// steady states of flows: a cone whose last step was long for its own size gets a shorter one next
/// time. Most cones soon take steps of Newton's method, with rho_i near 0, while a few are held back.
class PseudoTime {
 public:
  explicit PseudoTime(Index cones);

  const Vector& rho() const { return rho_; }  ///< one for each cone, dimensionless

  /// Shortens steps: of the cones that are held back already, or if they do not matter any more, of
  /// all. \returns false if all are so short that shorter ones are not worth trying.
  [[nodiscard]] bool hold_back();

  /// After a step. \param length of a cone's change, where 1 is its own size.
  void adapt(Index cone, double length);

 private:
  Vector rho_;
};

}  // namespace frictionbench::solvers
