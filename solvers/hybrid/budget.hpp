/// \file
/// How many sweeps to try before an expensive method, in predicted work.
#pragma once

#include <algorithm>

#include "frictionbench/linalg/delassus_operator.hpp"

namespace frictionbench::solvers {

/// Sweeps over the contacts, each two operations an entry of W, that cost as much as 30 LU
/// factorisations of W. Analyses W, and factorises nothing.
inline int affordable_sweeps(const DelassusOperator& W) {
  constexpr double factorizations = 30, most = 1e6;
  const double sweep = 2 * static_cast<double>(W.matrix().nonZeros());
  return static_cast<int>(std::min(most, factorizations * W.lu_operations() / sweep));
}

}  // namespace frictionbench::solvers
