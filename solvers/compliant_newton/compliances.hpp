/// \file
/// ccp-sap and ccp-newton: one iteration, under the compliances of Drake and of MuJoCo.
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
/// c is the inverse stiffness, h the time step. With c = 0, the default, contacts are near-rigid as
/// in [Castro22]. The solver thus solves the CCP of W + R, and returns R; of the rigid problem, r_N is one
/// to three per cent too small, and contacts at rest slip a little.
///
/// Deviations from [Castro22]:
///
///  1. v_hat = 0: a file holds neither gaps nor the time step; their effect is part of q or w.
///  2. W_ii is that of the problem; the paper estimates it from the two bodies in contact.
///  3. Without a global form the velocities are those of make_velocity_model(), and the balance of
///     momentum of [Castro22] (26) has A = I and v* = 0.
///  4. If M or W is not symmetric, the asymmetric part is carried on the right-hand side, unless
///     carry_asymmetry=false.
///  5. It goes on until the residuals of the compliant CCP are within the tolerance; stop=momentum
///     stops where [Castro22] (26) does.
///  6. A compliance that the problem itself has is part of its W_ii, as for every solver, and is added to R.
///  7. H is factored by CHOLMOD, simplicial or supernodal (CholeskyRule), instead of Conex.
///  8. The backtracking line search, see step_length().
struct CcpSap : PrimalNewtonSettings {
  double beta = 1;                 ///< oscillation period of a near-rigid contact, time steps, > 0
  double sigma = 1e-3;             ///< R_T relative to the effective inverse mass w, > 0
  double compliance = 0;           ///< inverse stiffness, m/N; 0: near-rigid
  double time_step = 0.01;         ///< h, s; used if compliance is not 0
  double dissipation_time = 0.01;  ///< tau_d, s; used if compliance is not 0

  void describe(SettingFields& fields);
  /// R of a problem, [Castro22] (29), (30).
  Compliance compliance_of(const ContactProblem& problem) const;
};

/// Newton's method on the primal of a compliant CCP with the compliance of MuJoCo: [LeLidec24]
/// Alg. 4, section III-B. See primal_newton() for the iteration; the line search backtracks.
///
/// [LeLidec24] attributes R = alpha diag(W) to MuJoCo, with "alpha in [0, 1] close to 0" and no
/// value. MuJoCo itself uses (1 - d) / d with d = 0.9 for contacts that barely touch (option
/// solimp). This is numerical regularisation, not a stiffness: compared with the rigid problem, r_N is
/// smaller by a tenth, and contacts at rest slip. The solver returns R.
///
/// Deviations from [LeLidec24]:
///
///  1. R_T is one number per contact, alpha times the mean of the tangents' entries of diag(W):
///     only then is the projection a formula. (The authors' code, ContactBench, has
///     R_N = ||W_ii||_F / (4 pi^2) and R_T = R_N / 1000 instead, which is nearer to SAP.)
///  2. The stopping tests are those of primal_newton(); ContactBench tests the largest entry of the scaled
///     gradient.
///  3. The backtracking line search, see step_length().
///  4. Asymmetric M or W, files without a global form and problems with a compliance are treated as
///     in ccp-sap.
struct CcpNewton : PrimalNewtonSettings {
  CcpNewton() { line_search.kind = LineSearch::armijo; }

  double alpha = 1.0 / 9;  ///< R relative to the diagonal of W, > 0

  void describe(SettingFields& fields);
  /// R of a problem.
  Compliance compliance_of(const ContactProblem& problem) const;
};

}  // namespace frictionbench::solvers
