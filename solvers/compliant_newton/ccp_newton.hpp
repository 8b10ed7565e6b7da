/// \file
#pragma once

#include "frictionbench/solvers/compliant_newton/primal_newton.hpp"

namespace frictionbench::solvers {

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
