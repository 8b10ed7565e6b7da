/// \file
#pragma once

#include "frictionbench/solvers/nonsmooth_newton/nonsmooth_newton.hpp"

namespace frictionbench::solvers {

/// Nonsmooth Newton method for the NCP, written as Alart and Curnier's equation or another with the
/// same roots (RR-9118, NSN-AC, NSN-NM and NSN-FB; in Siconos fc3d_nonsmooth_Newton_solvers.c), by
/// the iteration of NonsmoothNewton. Usually one LU factorisation per iteration.
///
/// Deviations from Siconos:
///
///  1. The problem is equilibrated contact by contact first; `scaling=none` disables it.
///  2. Sweeps of Gauss-Seidel find the neighbourhood that Newton's method needs. Siconos starts at
///     the guess, or from 50 iterations of an extragradient method (hybrid strategy VI_EG_NSN).
///  3. The matrix is damped. Siconos uses it undamped, even if it is singular, and leaves
///     regularity to the proximal method around it.
///  4. The line search is not monotone, and has few halvings. Siconos bisects for Goldstein and
///     Price's conditions (AC, NM) or Armijo's (FB), 100 times, and takes the full step if that
///     fails; here, sweeps follow.
///  5. What is judged, and returned, is P_K(r).
void ncp_newton_method(const NonsmoothNewtonSettings& settings, Solve& solve);

}  // namespace frictionbench::solvers
