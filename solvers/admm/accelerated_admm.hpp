/// \file
/// The ADMM of [Carpentier24] made to keep its promises on files whose units, masses and contacts
/// differ.
#pragma once

#include "frictionbench/solvers/admm/admm_settings.hpp"

namespace frictionbench::solvers {

/// [Carpentier24] Alg. 1 in the residual form, for the model's s(z) = Γ(z) (NCP) or 0 (CCP), with a penalty of
/// its own for each contact, R = diag(rho_i):
///
///     y = P_K(x),  z = R (y - x),  u = W y + q
///     f = y - (F + R)^-1 (u + s(z) - z),     F the symmetric part of W
///     x <- x + relaxation (f - y)
///
/// For F = W, R = rho I and eta = 0 these are the iterates of (37)-(39) and (36c), with x = y - z /
/// rho (Douglas and Rachford's variable). What differs from the paper, each by a setting:
///
///  1. `scaling`: the problem is equilibrated by one factor a contact (ContactScaling).
///  2. The residual u is that of W as the file states it; only the matrix that divides it is
///     symmetric. So the asymmetric part of W is carried on the right-hand side, at no cost.
///  3. R > 0 does the work of the proximal term eta, which is left out; eta is the m of (45) only.
///  4. `contact_weight`: a contact that separates wants rho_i large (f_i = 0 at once), one that
///     sticks small (f_i free). Weights follow the contacts' states at iterations that grow further
///     apart.
///  5. `balance`, `hold`, `hysteresis`: what rho reacts to, and how often.
///  6. `start_sweeps`: the first y, z and weights come from a few Gauss-Seidel sweeps.
///  7. `anderson`, `ray`, `patience`: SafeguardedAcceleration.
///  8. The stopping test is the model's residuals of y at u, the answer itself, in every iteration.
///
/// Ends as stalled when iterates no longer change in double precision.
void accelerated_admm(const AdmmSettings& settings, Solve& solve);

}  // namespace frictionbench::solvers
