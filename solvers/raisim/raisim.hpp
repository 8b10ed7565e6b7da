/// \file
/// RaiSim's solution of the one-contact problem.
#pragma once

#include "frictionbench/math/types.hpp"

namespace frictionbench::solvers {

/// The impulse of one contact by RaiSim's rule, [LeLidec24] Alg. 5 lines 4 to 14:
///
///     take-off   q_N >= 0                              r = 0
///     stick      r_0 = -W^-1 q in K_mu                 r = r_0
///     slide      else      the r of K_mu with u_N = 0 that minimises r.W r / 2 + r.q
///
/// The last, [LeLidec24] (23), is found by bisection over the angle of r_T. It is Coulomb's law
/// only where W_NT = 0: u_T is opposite to r_T + mu^2 r_N / W_NN W_NT and not to r_T, [LeLidec24]
/// (24). For a W that is not symmetric, "minimises" reads: u.(s - r) >= 0 for all s of K_mu with (W
/// s + q)_N = 0.
/// \tparam Dim 2 or 3.
/// \param W W_ii, positive definite, (N, T...) ordered.
/// \param q free velocity of the contact, the impulses of all others included.
/// \param angle_tolerance where bisection stops, rad.
template <int Dim>
Eigen::Matrix<double, Dim, 1> raisim_impulse(const Eigen::Matrix<double, Dim, Dim>& W,
                                             const Eigen::Matrix<double, Dim, 1>& q, double mu,
                                             double angle_tolerance);

}  // namespace frictionbench::solvers
