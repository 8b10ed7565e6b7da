/// \file
/// Rows of W with the pattern of the row before.
#pragma once

#include <algorithm>

#include "frictionbench/math/types.hpp"

namespace frictionbench {

/// Whether the entries of a row of W are in the columns of those of the row above: of most rows of a
/// block, so that what is found out about columns holds for several rows. \param row > 0.
inline bool repeats_row_above(const SparseMatrix& W, Index row) {
  const int* const starts = W.outerIndexPtr() + row - 1;
  const int* const columns = W.innerIndexPtr();
  return std::equal(columns + starts[0], columns + starts[1], columns + starts[1],
                    columns + starts[2]);
}

}  // namespace frictionbench
