/// \file
#pragma once

#include "frictionbench/solvers/compliant_newton/primal_newton.hpp"

namespace frictionbench::solvers {

/// Newton's method on the primal of a compliant CCP with the compliance of MuJoCo: [LeLidec24]
/// Alg. 4, section III-B. See primal_newton() for the iteration; the line search backtracks.
///
/// R = alpha diag(W): [LeLidec24] says so of MuJoCo, "alpha in [0, 1] close to 0", without a number. MuJoCo
/// itself has (1 - d) / d for alpha, with d = 0.9 for contacts that barely touch (its option
/// solimp). It is a numerical regularisation, with no stiffness behind it: r_N is smaller by a
/// tenth, and a contact at rest slips. Where that is within the tolerances it ends as `converged`,
/// else as `inaccurate`.
///
/// Differs from [LeLidec24]:
///
///  1. R_T is one number a contact, alpha times the mean of the tangents' entries of diag(W): only
///     then is the projection a formula. (The authors' code, ContactBench, has R_N = ||W_ii||_F /
///     (4 pi^2) and R_T = R_N / 1000 instead, which is nearer to SAP.)
///  2. The test that ends it is [Castro22] (26); ContactBench takes the largest entry of the scaled
///     gradient.
///  3. The backtracking line search, as step_length() says.
///  4. Where M or W is not symmetric, the symmetric part stands for it, as in ccp-sap, and files
///     without a global form are treated as there.
struct CcpNewton : PrimalNewtonSettings {
  CcpNewton() { line_search.kind = LineSearch::armijo; }

  double alpha = 1.0 / 9;  ///< R by the diagonal of W, > 0

  void describe(SettingFields& fields);
  /// R of a problem.
  Compliance compliance_of(const ContactProblem& problem) const;
};

}  // namespace frictionbench::solvers
