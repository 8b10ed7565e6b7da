/// \file
/// The penalty rho of the ADMM and its update rules, [Carpentier24] section III-F.
#pragma once

#include <algorithm>
#include <cmath>

#include "frictionbench/linalg/power_iteration.hpp"
#include "frictionbench/solvers/admm/admm.hpp"

namespace frictionbench::solvers {

class Penalty {
 public:
  /// \param largest, smallest eigenvalue of W, in the unit of rho and eta. A smallest of 0, the
  /// value for hyperstatic contacts, makes m = eta.
  Penalty(const AdmmSettings& settings, double largest, double smallest = 0)
      : settings_(settings), p_(settings.p_initial) {
    const double m = smallest + settings.eta;
    const double L = largest + settings.eta;
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

  AdmmSettings settings_;
  double root_mL_;
  double kappa_;
  double p_;
  double rho_;
};

/// The penalty of a solve: L, and with StrongConvexity::smallest_eigenvalue m, from power
/// iterations. \param cholesky of W plus a shift; m costs a factorisation and its solves.
inline Penalty penalty_for(const AdmmSettings& settings, const DelassusOperator& W,
                           ShiftedCholesky& cholesky) {
  const int iterations = settings.power_iterations;
  const double L = W.largest_eigenvalue(iterations);
  // W + eta I that cannot be factored is indefinite by rounding, or by asymmetry: m = eta.
  if (settings.strong_convexity == StrongConvexity::eta || !cholesky.factorize(settings.eta))
    return {settings, L};
  const double inverse = power_iteration(W.size(), iterations, [&](Vector x) {
    cholesky.solve_in_place(x);
    return x;
  });
  return {settings, L, std::max(0.0, 1 / inverse - settings.eta)};
}

}  // namespace frictionbench::solvers
