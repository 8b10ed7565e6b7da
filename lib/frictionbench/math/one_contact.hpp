/// \file
/// The frictional contact problem of a single contact, solved exactly.
#pragma once

#include "frictionbench/math/types.hpp"

namespace frictionbench {

/// Finds r with K_mu ∋ r ⟂ û ∈ K_mu^*, u = W r + q, û = u + (mu ||u_T||, 0, 0), to rounding: the
/// local solver in the Gauss-Seidel method of Jourdan, Alart and Jean (Comput. Methods Appl. Mech.
/// Eng. 155, 1998).
///
/// If the symmetric part of W is positive definite there is a solution, and the search for it is
/// bracketed. It is unique unless friction and coupling are strong (mu ||W_NT|| > W_NN). A singular
/// W is solved to rounding if it has a solution. An indefinite W may have none; the result is then
/// meaningless. Without W_NN > 0 no impulse changes u_N, so the answer is zero, which is a solution
/// if there is one; without W_TT friction is that of q_T.
/// \tparam Dim 2 or 3.
/// \param W W_ii of the contact in the order (N, T...); need not be symmetric.
/// \param q free velocity of the contact, impulses of all other contacts included. NaN gives NaN.
/// \param mu >= 0.
template <int Dim>
Eigen::Matrix<double, Dim, 1> solve_one_contact(const Eigen::Matrix<double, Dim, Dim>& W,
                                                const Eigen::Matrix<double, Dim, 1>& q, double mu);

}  // namespace frictionbench
