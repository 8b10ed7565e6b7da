/// \file
/// The Newton iteration that ccp-sap and ccp-newton share.
#pragma once

#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solvers/compliant_newton/primal_line_search.hpp"
#include "frictionbench/solvers/compliant_newton/regularized_contact.hpp"

namespace frictionbench::solvers {

/// Which test ends the iteration.
enum class NewtonStop {
  verified,  ///< the residuals of the compliant CCP
  momentum,  ///< [Castro22] (26)
};

struct PrimalNewtonSettings {
  NewtonStop stop = NewtonStop::verified;
  bool carry_asymmetry = true;        ///< solves with M or W as the file states it
  double absolute_tolerance = 1e-16;  ///< of the momentum balance, in sqrt(J)
  double relative_tolerance = 1e-6;   ///< of the momentum balance, [Castro22] (26)
  bool condition = false;             ///< report the condition number of the last Hessian
  LineSearchSettings line_search;

  /// Adds them, without those of the line search.
  void describe(SettingFields& fields);
};

/// Minimises the convex cost of a compliant CCP over velocities ([Castro22] Alg. 2; [LeLidec24]
/// Alg. 4):
///
///     l(v) = ||v - v*||_A^2 / 2 + ||r(v)||_R^2 / 2,
///     r(v) = P_K(-R^-1 u), the projection in the norm of R ([Castro22] (27)),
///     dv = -H^-1 grad l,    grad l = A (v - v*) - J^T r,    H = A + J^T G J,    G = -dr/du,
///     v <- v + alpha dv,    alpha by the line search,
///
/// with A, J and u = J v + c of VelocityModel. The r of the minimum solves the CCP of W_sym + R and
/// q, W_sym = J A^-1 J^T. It is inside the cones at every v. The result has R and, for a global
/// problem that is rigid itself, v.
///
/// If M or W is not symmetric, `carry_asymmetry` repeats the minimisation with what W_sym leaves of
/// W on the right-hand side, until the residuals with the file's own W are within the tolerance;
/// each repetition must halve them.
///
/// Ends as
///   converged   the residuals of the CCP with R are within the tolerance
///   inaccurate  [Castro22] (26) holds, ||grad l|| < absolute + relative max(||A v||, ||J^T r||),
///               each scaled by diag(A)^-1/2, but those residuals are larger: at once with
///               stop=momentum, else when rounding or the asymmetry lets them fall no further
///   stalled     rounding: the cost no longer falls and the momentum residual is not halved either,
///               or H cannot be factored
///
/// Reports `cost`, `momentum_error` (e_m, [Castro22] (32)) and its limit `momentum_tolerance`, and,
/// if set, `hessian_condition` of the last H that was factored. An iteration is an evaluated v:
/// there is one more than steps and factorisations of H.
void primal_newton(const Compliance& compliance, const PrimalNewtonSettings& settings,
                   Solve& solve);

}  // namespace frictionbench::solvers
