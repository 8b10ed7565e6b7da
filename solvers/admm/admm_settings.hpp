/// \file
#pragma once

#include "frictionbench/linalg/shifted_cholesky.hpp"
#include "frictionbench/math/anderson_acceleration.hpp"
#include "frictionbench/solver/registry.hpp"

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

/// Settings of ncp-admm and ccp-admm. The first block is that of [Carpentier24]; the second belongs to
/// the accelerated variant, and the preset variant=rss2024 makes all of it neutral. describe() gives
/// ranges and sources.
struct AdmmSettings {
  AdmmVariant variant = AdmmVariant::accelerated;

  PenaltyRule rho_update = PenaltyRule::spectral;
  double p_initial = 0.25;    ///< first exponent p of rho = sqrt(m L) kappa^p
  double p_inc = 0.05;        ///< spectral: what p grows by
  double p_dec = 0.05;        ///< spectral: what p shrinks by
  double rho_initial = 0;     ///< first penalty, in the unit of W; 0: from (45) with p_initial
  double tau_inc = 2;         ///< linear: what rho is multiplied by
  double tau_dec = 2;         ///< linear: what rho is divided by
  double alpha = 10;          ///< ratio of the residuals from which rho changes
  double eta = 1e-6;          ///< m of (45), and the published variant's proximal term; unit of W
  int power_iterations = 20;  ///< products spent on the largest eigenvalue L of (45)
  StoppingTest stop = StoppingTest::verified;

  Scaling scaling = Scaling::contacts;
  double relaxation = 1;      ///< y + relaxation (f - y) takes the place of f
  int start_sweeps = 50;      ///< Gauss-Seidel sweeps that make the first y, z and weights
  Balance balance = Balance::agreed;
  int hold = 40;              ///< fewest iterations between two changes of rho
  double hysteresis = 2;      ///< what hold is multiplied by when rho turns back
  double contact_weight = 30; ///< rho_i / rho of a separated contact; inverse of a sticking one's
  int weight_first = 40;      ///< iteration at which weights are first renewed
  double weight_growth = 3;   ///< ratio of the iterations of two renewals
  int anderson = 20;          ///< memory of the acceleration; 0: none
  AndersonAcceleration::Type anderson_type = AndersonAcceleration::Type::two;
  double safeguard = 2;       ///< growth of the fixed-point residual that undoes an accelerated step
  double ray = 0.02;          ///< relative change of that residual below which steps double; 0: never
  int patience = 100;         ///< iterations in which the best residual must halve; 0: no limit
  Factorization factorization = Factorization::automatic;

  /// The paper's values: what variant=rss2024 stands for.
  static AdmmSettings rss2024();

  void describe(SettingFields& fields);

  /// \throws std::invalid_argument if the paper's variant is given something that it does not have.
  void validate() const;
};

}  // namespace frictionbench::solvers
