/// \file
/// The penalty rho of the ADMM and the rules that move it, [Carpentier24] section III-F.
#pragma once

#include "frictionbench/solvers/admm/admm_settings.hpp"

namespace frictionbench::solvers {

class Penalty {
 public:
  /// \param largest_eigenvalue of W, in the unit of rho and eta.
  Penalty(const AdmmSettings& settings, double largest_eigenvalue);

  double rho() const { return rho_; }

  /// Where the residuals push rho: +1 if primal >= alpha dual, -1 if dual >= alpha primal, else 0;
  /// always 0 under PenaltyRule::constant.
  int direction(double primal, double dual) const;

  /// Takes one step of the rule, [Carpentier24] (44) or (46). \param direction +1 or -1.
  void move(int direction);

 private:
  double spectral() const;  // (45)

  const AdmmSettings& settings_;
  double root_mL_;
  double kappa_;
  double p_;
  double rho_;
};

}  // namespace frictionbench::solvers
