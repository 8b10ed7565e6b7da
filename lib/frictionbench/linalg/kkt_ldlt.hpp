/// \file
/// L D L^T factorisation of the proximal KKT matrix of a global form.
#pragma once

#include <memory>

#include "frictionbench/linalg/work_counters.hpp"
#include "frictionbench/math/types.hpp"
#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench {

/// P L D L^T P^T of the KKT matrix, n + m rows, for a changing positive diagonal d,
///
///     [ M     H       ]
///     [ H^T  -diag(d) ]        with the symmetric part of M
///
/// It is symmetric quasi-definite, so every symmetric permutation has such a factorisation with a diagonal
/// D (Vanderbei, SIAM J. Optim. 5, 1995): the order can serve sparsity alone, and the analysis holds for all
/// values. Of a tree of bodies in maximal coordinates, minimum degree (AMD) finds an order with no more fill
/// than within bodies and joints, so that all costs are linear in their number (Baraff, SIGGRAPH 1996).
/// Eigen's simplicial factorisation, because factors of trees are too sparse for dense panels to pay.
class KktLdlt {
 public:
  /// Copies the matrix and analyses its pattern (counted in `work.analyses`). `work` must outlive this
  /// object. \param form n >= 1.
  KktLdlt(const GlobalForm& form, WorkCounters& work);
  ~KktLdlt();
  KktLdlt(KktLdlt&&) noexcept;             ///< leaves an object that cannot be used
  KktLdlt& operator=(KktLdlt&&) noexcept;  ///< the same

  /// Factors the matrix with this d (counted in `work.factorizations`). \param d m, each > 0.
  /// \returns false if the symmetric part of M is not positive definite; solve() must not be called then.
  [[nodiscard]] bool factorize(const Vector& d);

  /// The solution (x, -y), n + m, of M x - H y = a, H^T x + diag(d) y = b (counted in
  /// `work.triangular_solves`). \param right (a, b), n + m.
  Vector solve(const Vector& right) const;

  Index nonzeros() const;  ///< of L, below its diagonal, once factorised

 private:
  class Factor;

  WorkCounters* work_;
  std::unique_ptr<Factor> factor_;
};

}  // namespace frictionbench
