/// \file
#pragma once

#include "frictionbench/solvers/compliant_newton/primal_newton.hpp"

namespace frictionbench::solvers {

/// SAP, the semi-analytic primal solver of Drake: A. Castro, F. Permenter, X. Han (D), Alg. 2.
/// Newton's method on the unconstrained convex cost of a compliant CCP; see primal_newton() for the
/// iteration.
///
/// The compliance of contact i is [Castro22] (29), (30):
///
///     R_N = max(beta^2 / (4 pi^2) w, c / (h (h + tau_d))),    R_T = sigma w,
///     w = ||W_ii||_F / dim,
///
/// c the inverse of a stiffness, h the time step. With c = 0, the default, contacts are as rigid as
/// D makes them. So it solves the CCP of W + R, not of W: r_N is smaller by one to three per cent,
/// and a contact at rest slips a little. Where that is within the tolerances it says `converged`,
/// else `inaccurate`.
///
/// Differs from D:
///
///  1. v_hat = 0: a file holds neither gaps nor the time step. What it has of them is in q or w.
///  2. W_ii is that of the problem; D estimates it from the two bodies in contact.
///  3. Without a global form the velocities are those of make_velocity_model(), and the balance of
///     momentum of [Castro22] (26) has A = I and v* = 0.
///  4. Where M or W is not symmetric, the symmetric part stands for it; only the residuals that
///     decide on `converged` are those of W as the file states it.
///  5. CHOLMOD factors H, supernodal where its fill makes that pay (CholeskyRule), not Conex.
///  6. The backtracking line search, as step_length() says.
class CcpSap final : public Solver {
 public:
  struct Settings : PrimalNewtonSettings {
    double beta = 1;
    double sigma = 1e-3;
    double compliance = 0;
    double time_step = 0.01;
    double dissipation_time = 0.01;
    void describe(SettingFields& fields);
  };

  static SolverInfo info();
  explicit CcpSap(const Settings& settings) : Solver(info()), settings_(settings) {}

  /// R of a problem, [Castro22] (29), (30).
  static Compliance compliance(const Settings& settings, const ContactProblem& problem);

 private:
  Result run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
             Observer& observer) const override;

  Settings settings_;
};

}  // namespace frictionbench::solvers
