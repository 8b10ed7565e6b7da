/// \file
/// lcp-pgs for friction pyramids of other than four facets.
#pragma once

#include "frictionbench/solver/solver.hpp"
#include "frictionbench/solvers/gauss_seidel/sweeps.hpp"

namespace frictionbench::solvers {

/// Projected Gauss-Seidel for the pyramid of K facets in 3D, P ∋ r ⟂ û ∈ P^* (RegularPyramid): the
/// lifted LCP of Stewart and Trinkle and of [YamaneNakamura08] (25), M = Y's matrix over the variables
/// (r_N, beta, lambda) of every contact.
///
/// Gauss-Seidel on those variables one by one need not converge: M is only copositive, and its
/// diagonal zero at lambda. But beta and lambda of a contact say no more than that r_T is in the
/// polygon of size mu r_N and dissipates the most, so they are eliminated exactly. Contact by
/// contact, with u_i = (W r + q)_i at the newest impulses, those of the same contact included:
///
///     r_N <- max(0, r_N - omega u_N / W_NN)
///     r_T <- argmin { (s - r_T).W_TT (s - r_T) / 2 + omega u_T.(s - r_T) : d_k.s <= mu r_N }
///
/// with the symmetric part of W_TT, which the fixed points do not depend on. If not
/// `exact_tangents`, the second step is L's: W_TT is replaced by min(W_T1T1, W_T2T2) I.
///
/// Converged: the LCP residuals are within the tolerances. Inaccurate, "polyhedral residuals":
/// those of this pyramid are, and the LCP's are not. The claims `polyhedral_primal`,
/// `polyhedral_dual` and `polyhedral_complementarity` are the former.
Result faceted_pgs(int facets, bool exact_tangents, double omega, const ContactProblem& problem,
                   const Limits& limits, const Vector& start, Observer& observer,
                   const SweepSettings& sweeps);

}  // namespace frictionbench::solvers
