/// \file
/// The local step that L Algs. 1 and 6 share: the normal impulse first, then the tangent one.
#pragma once

#include <algorithm>

#include "frictionbench/linalg/block_rows.hpp"

namespace frictionbench::solvers {

/// Improves the impulse of contact i in place, with u_i = (W r + q)_i at the newest impulses:
///
///     r_N <- max(0, r_N - omega u_N / W_NN)
///     r_T <- clamp(r_T - omega u_T / min_k W_TkTk, mu r_N)          u_T after the normal update
///
/// \param clamp `clamp(r_T, limit)` shortens r_T in place to what friction allows.
template <int Dim, typename Clamp>
void separable_step(const BlockRows<Dim>& rows, const Vector& q, double mu, double omega, Index i,
                    Vector& r, const Clamp& clamp) {
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
  r_T -= omega / diagonal.diagonal().template tail<Dim - 1>().minCoeff() *
         u_i.template tail<Dim - 1>();
  clamp(r_T, mu * r_i[0]);
}

}  // namespace frictionbench::solvers
