/// \file
/// The penalty rho of the ADMM and its update rules, [Carpentier24] section III-F.
#pragma once

#include <cmath>

#include "frictionbench/solvers/admm/admm.hpp"

namespace frictionbench::solvers {

class Penalty {
 public:
  /// \param largest_eigenvalue of W, in the unit of rho and eta.
  Penalty(const AdmmSettings& settings, double largest_eigenvalue)
      : settings_(settings), p_(settings.p_initial) {
    const double m = settings.eta;
    const double L = largest_eigenvalue + settings.eta;
    root_mL_ = std::sqrt(m * L);
    kappa_ = L / m;
    rho_ = settings.rho_initial > 0 ? settings.rho_initial : spectral();
  }

  double rho() const { return rho_; }

  /// Which way the residuals push rho: +1 if primal >= alpha dual, -1 if dual >= alpha primal, else
  /// 0; always 0 with PenaltyRule::constant.
  int direction(double primal, double dual) const {
    if (settings_.rho_update == PenaltyRule::constant) return 0;
    if (primal >= settings_.alpha * dual) return 1;
    return dual >= settings_.alpha * primal ? -1 : 0;
  }

  /// Takes one step of the rule, (44) or (46). \param direction +1 or -1.
  void move(int direction) {
    const bool grow = direction > 0;
    if (settings_.rho_update == PenaltyRule::linear) {
      rho_ = grow ? rho_ * settings_.tau_inc : rho_ / settings_.tau_dec;
    } else {
      p_ += grow ? settings_.p_inc : -settings_.p_dec;
      rho_ = spectral();
    }
  }

 private:
  double spectral() const { return root_mL_ * std::pow(kappa_, p_); }  // (45)

  const AdmmSettings& settings_;
  double root_mL_;
  double kappa_;
  double p_;
  double rho_;
};

}  // namespace frictionbench::solvers
