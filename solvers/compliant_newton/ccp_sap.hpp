/// \file
#pragma once

#include "frictionbench/solvers/compliant_newton/primal_newton.hpp"

namespace frictionbench::solvers {

/// SAP, the semi-analytic primal solver of Drake: [Castro22] Alg. 2.
/// Newton's method on the unconstrained convex cost of a compliant CCP; see primal_newton() for the
/// iteration.
///
/// The compliance of contact i is [Castro22] (29), (30):
///
///     R_N = max(beta^2 / (4 pi^2) w, c / (h (h + tau_d))),    R_T = sigma w,
///     w = ||W_ii||_F / dim,
///
/// c the inverse of a stiffness, h the time step. With c = 0, the default, contacts are as rigid as
/// [Castro22] makes them. So it solves the CCP of W + R, not of W: r_N is smaller by one to three per cent,
/// and a contact at rest slips a little. Where that is within the tolerances it ends as `converged`,
/// else as `inaccurate`.
///
/// Differs from [Castro22]:
///
///  1. v_hat = 0: a file holds neither gaps nor the time step. What it has of them is in q or w.
///  2. W_ii is that of the problem; [Castro22] estimates it from the two bodies in contact.
///  3. Without a global form the velocities are those of make_velocity_model(), and the balance of
///     momentum of [Castro22] (26) has A = I and v* = 0.
///  4. Where M or W is not symmetric, the symmetric part stands for it; only the residuals that
///     decide on `converged` are those of W as the file states it.
///  5. CHOLMOD factors H, supernodal where its fill makes that pay (CholeskyRule), not Conex.
///  6. The backtracking line search, as step_length() says.
struct CcpSap : PrimalNewtonSettings {
  double beta = 1;                 ///< period of a near-rigid contact in time steps, > 0
  double sigma = 1e-3;             ///< R_T by the effective inverse mass w, > 0
  double compliance = 0;           ///< inverse of the stiffness k, m/N; 0: near-rigid
  double time_step = 0.01;         ///< h, s, where compliance is not 0
  double dissipation_time = 0.01;  ///< tau_d, s, where compliance is not 0

  void describe(SettingFields& fields);
  /// R of a problem, [Castro22] (29), (30).
  Compliance compliance_of(const ContactProblem& problem) const;
};

}  // namespace frictionbench::solvers
