/// \file
/// The local step that L Algs. 1 and 6 share: the normal impulse first, then the tangent one.
#pragma once

#include <algorithm>
#include <cmath>

#include "frictionbench/linalg/block_rows.hpp"

namespace frictionbench::solvers {

/// What divides the tangent step of a contact, D below.
enum class TangentDivisor {
  largest_eigenvalue,  ///< of the symmetric part of W_TT: a step that never overshoots
  smallest_entry       ///< min_k W_TkTk, as L Algs. 1 and 6 have it: overshoots where the tangents
                       ///< are coupled, or of different size
};

template <int Dim>
double tangent_divisor(const Eigen::Matrix<double, Dim, Dim>& W_ii, TangentDivisor kind) {
  if (kind == TangentDivisor::smallest_entry)
    return W_ii.diagonal().template tail<Dim - 1>().minCoeff();
  if constexpr (Dim == 2) return W_ii(1, 1);
  const double mean = (W_ii(Dim - 2, Dim - 2) + W_ii(Dim - 1, Dim - 1)) / 2;
  const double half_difference = (W_ii(Dim - 2, Dim - 2) - W_ii(Dim - 1, Dim - 1)) / 2;
  const double coupling = (W_ii(Dim - 2, Dim - 1) + W_ii(Dim - 1, Dim - 2)) / 2;
  return mean + std::hypot(half_difference, coupling);
}

/// Improves the impulse of contact i in place, with u_i = (W r + q)_i at the newest impulses:
///
///     r_N <- max(0, r_N - omega u_N / W_NN)
///     r_T <- clamp(r_T - omega u_T / D, mu r_N)          u_T after the normal update
///
/// \param clamp `clamp(r_T, limit)` shortens r_T in place to what friction allows.
template <int Dim, typename Clamp>
void separable_step(const BlockRows<Dim>& rows, const Vector& q, double mu, double omega,
                    TangentDivisor divisor, Index i, Vector& r, const Clamp& clamp) {
  const auto& diagonal = rows.diagonal(i);
  auto r_i = r.segment<Dim>(Dim * i);
  auto u_i = (rows.row_times(i, r) + q.segment<Dim>(Dim * i)).eval();

  const double old_normal = r_i[0];
  r_i[0] = std::max(0.0, old_normal - omega * u_i[0] / diagonal(0, 0));

  auto r_T = r_i.template tail<Dim - 1>();
  if (mu == 0) {
    r_T.setZero();
    return;
  }
  u_i += diagonal.col(0) * (r_i[0] - old_normal);
  r_T -= omega / tangent_divisor<Dim>(diagonal, divisor) * u_i.template tail<Dim - 1>();
  clamp(r_T, mu * r_i[0]);
}

}  // namespace frictionbench::solvers
