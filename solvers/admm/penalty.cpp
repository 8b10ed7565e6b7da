#include "frictionbench/solvers/admm/penalty.hpp"

#include <cmath>

namespace frictionbench::solvers {

Penalty::Penalty(const AdmmSettings& settings, double largest_eigenvalue)
    : settings_(settings), p_(settings.p_initial) {
  const double m = settings.eta;
  const double L = largest_eigenvalue + settings.eta;
  root_mL_ = std::sqrt(m * L);
  kappa_ = L / m;
  rho_ = settings.rho_initial > 0 ? settings.rho_initial : spectral();
}

double Penalty::spectral() const { return root_mL_ * std::pow(kappa_, p_); }

int Penalty::direction(double primal, double dual) const {
  if (settings_.rho_update == PenaltyRule::constant) return 0;
  if (primal >= settings_.alpha * dual) return 1;
  return dual >= settings_.alpha * primal ? -1 : 0;
}

void Penalty::move(int direction) {
  const bool grow = direction > 0;
  if (settings_.rho_update == PenaltyRule::linear) {
    rho_ = grow ? rho_ * settings_.tau_inc : rho_ / settings_.tau_dec;  // (44)
  } else {
    p_ += grow ? settings_.p_inc : -settings_.p_dec;  // (46)
    rho_ = spectral();
  }
}

}  // namespace frictionbench::solvers
