// The project's LCP in the two forms that solvers of other projects take: a boxed LCP and a plain
// one. Both are exact: the pyramid of the model lcp is a box, |r_T1|, |r_T2| <= mu r_N.
#pragma once

#include <algorithm>

#include "solvers/peers/peer.hpp"

namespace frictionbench::peers {

/// As ODE and its descendants have it: A x = b + w with
///
///     x_k = lower_k and w_k >= 0,  or  x_k = upper_k and w_k <= 0,  or  w_k = 0 in between
///
/// for x = r, w = u, A = W, b = -q, in another order: first the normals of all contacts, then their
/// tangents, contact by contact. For a tangent, lower = -mu and upper = mu have to be multiplied by
/// x at the index normal_of. Whether that is the current x or one from before decides whether a solver
/// solves the LCP.
struct BoxedLcp {
  /// \param infinity the upper bound of normals.
  BoxedLcp(const Request& request, const SparseMatrix& W, double infinity);

  int size() const { return static_cast<int>(order.size()); }
  Vector sorted(const Vector& r) const;  ///< in the order of x
  void store(const Vector& x, Answer& answer) const;

  Eigen::VectorXi order;  ///< of row k: its place in r
  SparseMatrix A;
  Vector b, lower, upper;
  Eigen::VectorXi normal_of;  ///< of row k; -1 if it is a normal
};

/// As Lemke's algorithm has it: 0 <= z ⟂ M z + q >= 0. A contact's part of z is (r_N, beta, lambda)
/// with r_T = sum_k beta_k c_k, c_k the corners of the box with sides of length 2:
///
///     0 <= r_N     ⟂  u_N >= 0
///     0 <= beta_k  ⟂  c_k . u_T + lambda >= 0
///     0 <= lambda  ⟂  mu r_N - sum_k beta_k >= 0
///
/// These are the equations of Stewart and Trinkle (1996), whose c_k are on Coulomb's disc.
struct LiftedLcp {
  explicit LiftedLcp(const Request& request);

  int size() const { return static_cast<int>(q.size()); }
  void store(const Vector& z, Answer& answer) const;

  SparseMatrix lift;  ///< r = lift z
  Matrix M;
  Vector q;
};

/// (W + W^T) / 2, sparse.
SparseMatrix symmetric_W(const Request& request);

/// How sweeps in batches ended.
struct Sweeps {
  frictionbench_status status = FRICTIONBENCH_MAX_ITERATIONS;
  std::int64_t count = 0;
};
/// Of a method that counts no sweeps and knows no time limit: it is given 1, 1, 2, 4, ... 64 at a time.
/// \param sweep `sweep(count)` returns whether the method's own test holds after so many more.
template <typename Sweep>
Sweeps sweep_in_batches(const Request& request, Sweep&& sweep) {
  Sweeps swept;
  while (swept.count < request.max_iterations()) {
    const std::int64_t next = std::min(std::clamp<std::int64_t>(swept.count, 1, 64),
                                       request.max_iterations() - swept.count);
    const bool converged = sweep(static_cast<int>(next));
    swept.count += next;
    if (converged)
      swept.status = FRICTIONBENCH_CONVERGED;
    else if (request.out_of_time())
      swept.status = FRICTIONBENCH_TIME_LIMIT;
    else
      continue;
    break;
  }
  return swept;
}

/// Ends the solve; without an impulse and as diverged, if that is not finite.
void end_finite(Answer& answer, frictionbench_status status, std::int64_t iterations);

}  // namespace frictionbench::peers
