/// \file
/// The local step of [LeLidec24] Algs. 1 and 6: first the normal impulse, then the tangential one.
#pragma once

#include <algorithm>
#include <cmath>

#include "frictionbench/math/types.hpp"

namespace frictionbench::solvers {

/// The divisor D of the tangential step below.
enum class TangentDivisor {
  largest_eigenvalue,  ///< of the symmetric part of W_TT: a step that never overshoots
  smallest_entry       ///< min_k W_TkTk, [LeLidec24] Algs. 1 and 6: can overshoot
};

template <int Dim>
double tangent_divisor(const Eigen::Matrix<double, Dim, Dim>& W_ii, TangentDivisor kind) {
  if (kind == TangentDivisor::smallest_entry)
    return W_ii.diagonal().template tail<Dim - 1>().minCoeff();
  if (Dim == 2) return W_ii(1, 1);
  const double mean = (W_ii(Dim - 2, Dim - 2) + W_ii(Dim - 1, Dim - 1)) / 2;
  const double half_difference = (W_ii(Dim - 2, Dim - 2) - W_ii(Dim - 1, Dim - 1)) / 2;
  const double coupling = (W_ii(Dim - 2, Dim - 1) + W_ii(Dim - 1, Dim - 2)) / 2;
  return mean + std::hypot(half_difference, coupling);
}

/// Improves the impulse of contact i in place, with u_i = (W r + q)_i at the newest impulses:
///
///     r_N <- max(0, r_N - omega u_N / W_NN),     then r_T, with u_T after the normal update
///
/// Without W_NN > 0 no impulse changes u_N, and r_i is zero, whatever it was: that solves the contact
/// if anything does.
/// \param W ContactSweeps or BodySweeps.
/// \param tangent_step `tangent_step(W_ii, u_T, r_T, limit)` improves r_T in place, where friction
///        allows no more than limit = mu r_N. Not called for mu = 0.
template <typename Sweeps, typename TangentStep>
void normal_first_step(const Sweeps& W, Index i, double omega, Vector& r,
                       const TangentStep& tangent_step) {
  constexpr int Dim = Sweeps::dimension;
  const auto& W_ii = W.W(i);
  auto r_i = W.of(r, i);
  if (W_ii(0, 0) <= 0) {
    r_i.setZero();
    return;
  }
  auto u_i = W.velocity(i, r);

  const double old_normal = r_i[0];
  r_i[0] = std::max(0.0, old_normal - omega * u_i[0] / W_ii(0, 0));

  auto r_T = r_i.template tail<Dim - 1>();
  if (W.mu(i) == 0) {
    r_T.setZero();
    return;
  }
  const double change = r_i[0] - old_normal;
  for (Index k = 1; k < Dim; ++k) u_i[k] += W_ii(k, 0) * change;
  tangent_step(W_ii, u_i.template tail<Dim - 1>(), r_T, W.mu(i) * r_i[0]);
}

/// normal_first_step() with r_T <- clamp(r_T - omega u_T / D, mu r_N). D is W_NN if W_TT is zero: no
/// impulse changes u_T then, and r_T comes to oppose it.
/// \param clamp `clamp(r_T, limit)` shortens r_T in place to what friction allows.
template <typename Sweeps, typename Clamp>
void separable_step(const Sweeps& W, Index i, double omega, TangentDivisor divisor, Vector& r,
                    const Clamp& clamp) {
  normal_first_step(W, i, omega, r,
                    [&](const auto& W_ii, const auto& u_T, auto& r_T, double limit) {
                      const double D = tangent_divisor<Sweeps::dimension>(W_ii, divisor);
                      const double step = omega / (D > 0 ? D : W_ii(0, 0));
                      for (Index k = 0; k < r_T.size(); ++k) r_T[k] -= step * u_T[k];
                      clamp(r_T, limit);
                    });
}

}  // namespace frictionbench::solvers
