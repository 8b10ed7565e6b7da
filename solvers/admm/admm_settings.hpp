/// \file
#pragma once

#include "frictionbench/linalg/shifted_cholesky.hpp"
#include "frictionbench/math/anderson_acceleration.hpp"
#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solver/scaled_solve.hpp"

namespace frictionbench::solvers {

/// Which algorithm runs.
enum class AdmmVariant {
  accelerated,  ///< accelerated_admm.hpp
  rss2024,      ///< [Carpentier24] Alg. 1 as published, proximal_admm.hpp
};

/// How the penalty rho follows the residuals.
enum class PenaltyRule {
  spectral,  ///< [Carpentier24] (46): rho = sqrt(m L) kappa^p, p moves by p_inc or p_dec
  linear,    ///< [Carpentier24] (44): rho is multiplied by tau_inc or divided by tau_dec
  constant,  ///< rho stays as it starts
};

/// When the paper's variant calls an iterate a solution.
enum class StoppingTest {
  admm,     ///< [Carpentier24] (43): primal, dual and complementarity residual of the ADMM itself
  verified  ///< [Carpentier24] (43), and then the residuals of the model at u = W y + q as well
};

/// In what terms the primal and the dual residual are compared before rho changes.
enum class Balance {
  absolute,  ///< ||f - y|| and ||rho (y - y')||, as [Carpentier24] (44)
  relative,  ///< the two divided by the sizes of the impulses and of the velocities
  velocity,  ///< ||W (f - y)|| and ||rho (y - y')||, both velocities
  agreed,    ///< rho changes where `relative` and `velocity` say the same
};

/// The factorisation that divides the residual.
enum class Factorization {
  automatic,  ///< by CholeskyRule
  dense,
  simplicial,
  supernodal,
  dual,  ///< through the global form; problems without one are refused
};

/// Settings of ncp-admm and ccp-admm. The first block is S's own; the second belongs to the
/// accelerated variant, and the preset variant=rss2024 makes all of it neutral.
struct AdmmSettings {
  AdmmVariant variant = AdmmVariant::accelerated;

  PenaltyRule rho_update = PenaltyRule::spectral;
  double p_initial = 0.25;
  double p_inc = 0.05;
  double p_dec = 0.05;
  double rho_initial = 0;
  double tau_inc = 2;
  double tau_dec = 2;
  double alpha = 10;
  double eta = 1e-6;
  int power_iterations = 20;
  StoppingTest stop = StoppingTest::verified;

  Scaling scaling = Scaling::contacts;
  double relaxation = 1;
  int start_sweeps = 50;
  Balance balance = Balance::agreed;
  int hold = 40;
  double hysteresis = 2;
  double contact_weight = 30;
  int weight_first = 40;
  double weight_growth = 3;
  int anderson = 20;
  AndersonAcceleration::Type anderson_type = AndersonAcceleration::Type::two;
  double safeguard = 2;
  double ray = 0.02;
  int patience = 100;
  Factorization factorization = Factorization::automatic;

  /// The paper's values: what variant=rss2024 stands for.
  static AdmmSettings rss2024();

  void describe(SettingFields& fields);

  /// \throws std::invalid_argument if the paper's variant is given something that it does not have.
  void validate() const;
};

}  // namespace frictionbench::solvers
