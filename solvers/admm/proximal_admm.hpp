/// \file
/// The proximal ADMM of S (Alg. 1) that the NCP and the CCP solver share.
#pragma once

#include "frictionbench/solver/registry.hpp"

namespace frictionbench::solvers {

/// How the penalty rho follows the residuals.
enum class PenaltyRule {
  spectral,  ///< S (46): rho = sqrt(m L) kappa^p, p moves by p_inc or p_dec
  linear,    ///< S (44): rho is multiplied by tau_inc or divided by tau_dec
  constant,  ///< rho stays as it starts
};

/// When the solver calls an iterate a solution.
enum class StoppingTest {
  admm,     ///< S (43): primal, dual and complementarity residual of the ADMM itself
  verified  ///< S (43), and then the residuals of the model at u = W y + q as well
};

struct AdmmSettings {
  PenaltyRule rho_update = PenaltyRule::spectral;
  double p_initial = 0.2;
  double p_inc = 0.05;
  double p_dec = 0.05;
  double rho_initial = 0;
  double tau_inc = 2;
  double tau_dec = 2;
  double alpha = 10;
  double eta = 1e-6;
  int power_iterations = 20;
  StoppingTest stop = StoppingTest::verified;

  void describe(SettingFields& fields);
};

/// Runs S Alg. 1 for the model: s_k = Γ(z_{k-1}) for the NCP, s = 0 for the CCP (28a).
/// `guess.r` has length m.
Result proximal_admm(ContactModel model, const AdmmSettings& settings,
                     const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
                     Observer& observer);

}  // namespace frictionbench::solvers
