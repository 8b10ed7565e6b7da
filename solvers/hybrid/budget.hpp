/// \file
/// How many iterations of a cheap method to try before an expensive one, in predicted work.
#pragma once

#include <algorithm>

#include "frictionbench/linalg/delassus_operator.hpp"

namespace frictionbench::solvers {

/// What a number of LU factorisations of W costs, in iterations of methods that cost less each.
/// Analyses W once, when first asked. W must outlive it.
class Budget {
 public:
  explicit Budget(const DelassusOperator& W) : W_(W) {}

  /// Sweeps over the contacts, each two operations an entry of W.
  int sweeps() { return iterations(product()); }

  /// Iterations of ADMM, each two triangular solves with a Cholesky factor and a product. They take
  /// longer than a factorisation with as many operations, because they read every entry from memory
  /// for two of them.
  int admm_iterations() { return iterations(slower_from_memory * (2 * lu().entries + product())); }

 private:
  static constexpr double worth = 30;  // LU factorisations
  static constexpr double slower_from_memory = 1.5;
  static constexpr double most = 1e6;

  const FactorizationCost& lu() {
    if (lu_.operations == 0) lu_ = W_.lu_cost();
    return lu_;
  }
  double product() { return 2 * static_cast<double>(W_.matrix().nonZeros()); }
  int iterations(double operations) {
    return static_cast<int>(std::min(most, worth * lu().operations / operations));
  }

  const DelassusOperator& W_;
  FactorizationCost lu_;  // zero until it is asked for
};

}  // namespace frictionbench::solvers
