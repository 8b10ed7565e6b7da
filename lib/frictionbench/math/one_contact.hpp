/// \file
/// The frictional contact problem of a single contact, solved exactly.
#pragma once

#include "frictionbench/math/types.hpp"

namespace frictionbench {

/// Finds r with K_mu ∋ r ⟂ û ∈ K_mu^*, u = W r + q, û = u + (mu ||u_T||, 0, 0), to rounding: the
/// local solver of Jourdan, Alart and Jean's Gauss-Seidel (Comput. Methods Appl. Mech. Eng. 155,
/// 1998).
///
/// Every W with a positive definite symmetric part has an answer, and the search for it is
/// bracketed. It is the only one unless friction and coupling are strong (mu ||W_NT|| > W_NN). A
/// singular W is solved to rounding where it has an answer. An indefinite W may have none, and the
/// result then says nothing.
/// \tparam Dim 2 or 3.
/// \param W W_ii of the contact, (N, T...) ordered; W_NN > 0; it need not be symmetric.
/// \param q free velocity of the contact, the impulses of all others included. NaN gives NaN.
/// \param mu >= 0.
template <int Dim>
Eigen::Matrix<double, Dim, 1> solve_one_contact(const Eigen::Matrix<double, Dim, Dim>& W,
                                                const Eigen::Matrix<double, Dim, 1>& q, double mu);

extern template Eigen::Matrix<double, 2, 1> solve_one_contact<2>(
    const Eigen::Matrix<double, 2, 2>& W, const Eigen::Matrix<double, 2, 1>& q, double mu);
extern template Eigen::Matrix<double, 3, 1> solve_one_contact<3>(
    const Eigen::Matrix<double, 3, 3>& W, const Eigen::Matrix<double, 3, 1>& q, double mu);

}  // namespace frictionbench
