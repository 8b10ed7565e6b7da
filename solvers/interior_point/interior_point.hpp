/// \file
/// The interior point iteration that ccp-ipm and ncp-ipm share.
#pragma once

#include "frictionbench/solver/registry.hpp"

namespace frictionbench::solvers {

struct InteriorPointSettings {
  Scaling scaling = Scaling::contacts;
  double boundary = 0.99;  ///< fraction of the step to the boundary that is taken, in (0, 1)
  int refinements = 8;     ///< of a Newton direction; a product each
  double gap = 1e-12;      ///< x.z of the answer as a fraction of its cost, > 0
  double push = 0.1;     ///< off the boundary, as a fraction of the length of a trapped x_i or z_i
  int recentrings = 15;  ///< pushes before the solve ends as stalled

  void describe(SettingFields& fields);
};

/// Primal-dual interior point method with the scaling of Nesterov and Todd and Mehrotra's predictor
/// and corrector (Vandenberghe 2010, section 7, for second-order cones), for
///
///     û = W r + q + s(û),    K ∋ r ⟂ û ∈ K*,    s = Γ (NCP) or 0 (CCP).
///
/// In cone coordinates (NewtonSystem), r = E x, z = E û, s becomes (||z_1||, 0) in every contact
/// and the path is x o z = tau e (CentralPath). With J = I - ds/dz, F = E (W r + q) + s - z, an
/// iteration factors once and solves twice:
///
///     (E W E + J D) dx = -F + J p,    dz = p - D dx,    D = N^-2
///
/// with p = -z for the predictor and p = N^-1 (lambda \ (sigma tau e - (N^-1 dx) o (N dz)) -
/// lambda) for the corrector, sigma = (1 - a)^3, a the step that the predictor allows. Both x and z
/// then go `boundary` times as far as the cones allow, at most 1. A matrix that is singular in
/// double precision is shifted by the size of rounding.
///
/// After three short steps in a row, or if the matrix can no longer be factored, x and z are
/// trapped at the boundary and are pushed off it, at most `recentrings` times; then the solve ends
/// `stalled`.
///
/// Stops when the model's residuals of r are within the tolerance, or up to five iterations later,
/// when the gap x.z is a small part (`gap`) of the cost as well. The answer is then E P_L(x - z),
/// which is on the boundary of the cones, if that is within the tolerance too. The start of the
/// solve is not used: the path begins at x = z = e, far from every answer.
///
/// ccp-ipm is the textbook method for a second-order cone programme, min r.W r / 2 + r.q over the
/// friction cones, and the counterpart of Gurobi and the geodesic interior point method in
/// [Castro22] (section V).
///
/// ncp-ipm has s = mu ||u_T|| inside the Newton system. Acary, Armand, Nguyen, Shpakovych (HAL
/// hal-03913568) solve the convex problem for given s; in Siconos, gfc3d_ipm_snm.c, and in Dojo
/// (Howell et al. 2022, arXiv 2203.00806) s is an unknown. Here it is eliminated: û_T = u_T, so
/// that s is a function of û, at the price of an unsymmetric matrix. The NCP is not convex, and its
/// central path may end at the boundary of the cones short of an answer. s has a kink at
/// u_T = 0; its derivative there is taken as 0.
void interior_point(const InteriorPointSettings& settings, Solve& solve);

}  // namespace frictionbench::solvers
