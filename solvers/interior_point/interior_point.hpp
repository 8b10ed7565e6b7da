/// \file
/// The interior point iteration that ccp-ipm and ncp-ipm share.
#pragma once

#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solver/scaled_solve.hpp"

namespace frictionbench::solvers {

struct InteriorPointSettings {
  Scaling scaling = Scaling::contacts;
  double boundary = 0.99;
  int refinements = 1;
  double gap = 1e-12;
  double push = 0.1;
  int recentrings = 15;

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
/// then go `boundary` times as far as the cones allow, at most 1. The dz of the corrector is
/// computed as J^-1 (F + E W E dx), which is the same but for rounding. A matrix that is singular
/// in double precision is lifted by the size of rounding.
///
/// After three short steps in turn, or where the matrix cannot be factored any more, x and z are
/// trapped at the boundary; they are pushed off it, `recentrings` times at most. Then the solve
/// ends as `stalled`.
///
/// Stops when the model's residuals of r are within the tolerances, or up to five iterations
/// later, when the gap x.z is a small part (`gap`) of the cost as well. The answer is then E P_L(x
/// - z), which ends at the boundary of the cones, if that is within them too. Where the solve ends
/// without that, it is the best iterate. A guess is not used: the path starts at x = z = e, far
/// from every answer.
Result interior_point(ContactModel model, const InteriorPointSettings& settings,
                      const ContactProblem& problem, const Limits& limits,
                      const InitialGuess& guess, Observer& observer);

}  // namespace frictionbench::solvers
