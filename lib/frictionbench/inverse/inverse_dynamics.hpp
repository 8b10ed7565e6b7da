/// \file
/// Inverse dynamics of contacts: the impulses that go with given contact velocities.
#pragma once

#include "frictionbench/criteria/verdict.hpp"

namespace frictionbench {

/// How impulses are looked for.
struct InverseOptions {
  ContactModel model = ContactModel::ncp;  ///< ncp, or ccp: without De Saxcé correction
  double rho = 1e-8;         ///< proximal parameter, velocity per impulse, > 0; [Carpentier24] V-D
  int max_iterations = 100;  ///< of the proximal iteration
  /// Largest residual, in the units of the velocities and impulses ([Carpentier24]: 1e-6), > 0.
  double tolerance = 1e-6;
  Vector start = {};  ///< impulse to start from, m; zero if empty
};

/// Impulses and what they are worth.
struct InverseResult {
  Vector r;                 ///< impulse, m
  Vector u;                 ///< contact velocity with the compliance, c + R r, m
  ConeResiduals residuals;  ///< of the model at r and u
  int iterations = 0;       ///< proximal steps
  bool converged = false;   ///< whether the residuals are within the tolerance
};

/// Finds K ∋ r ⟂ u + Γ(u) ∈ K^* with u = R r + c for given contact velocities c ([Carpentier24] eq.
/// 47), contact by contact, by its proximal algorithm (Alg. 2, lines 1 to 4):
///
///     s <- Γ(R r + c)
///     r <- P(-(R + rho)^-1 (c + s - rho r)),     P the projection on K in the metric of R + rho
///
/// Rigid contacts, R = 0, have many impulses: the one found depends on the start and on rho. For
/// velocities that no impulse gives, such as those of bodies that move into each other, impulses grow
/// without end; so they do for the CCP at any contact that slides without opening ([Carpentier24] Fig. 8).
/// \param c contact velocities at the end of the step, m = dimension * n_c, normal first.
/// \param R compliance, m, each >= 0, the same in both tangential directions.
/// \param mu friction coefficients, n_c, each >= 0.
/// \throws std::invalid_argument if sizes disagree, R is negative or differs between tangents, the
///         model is the LCP, or rho is not positive.
InverseResult inverse_dynamics(const Vector& c, const Vector& R, const Vector& mu,
                               const InverseOptions& options = {});

}  // namespace frictionbench
