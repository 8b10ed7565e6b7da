/// \file
/// The symbolic part of a sparse LU factorisation without exchanges between blocks.
#pragma once

#include <memory>
#include <vector>

#include "frictionbench/linalg/shiftable_matrix.hpp"
#include "frictionbench/math/block_shape.hpp"

namespace frictionbench {

/// What a factorisation takes, as an analysis predicts it.
struct FactorCost {
  double operations = 0;  ///< floating-point ones
  double entries = 0;     ///< of the factors, as they are stored
};

/// An ordering of a matrix, and its supernodes. A supernode is a group of neighbouring columns that have
/// nearly the same rows in the factor L; it is stored and factored as one dense panel, which may hold a
/// few zeros. U^T has the pattern of L.
struct Supernodes {
  std::vector<int> order;      ///< the row and column that comes k-th, m
  std::vector<int> starts;     ///< the first column of each supernode, and m
  std::vector<Index> rows_at;  ///< where the rows of each begin in `rows`, and their number
  std::vector<int> rows;       ///< of L's panels, increasing: the supernode's own, then those below
  FactorCost cost;  ///< of an LU: operations without the zeros of panels, entries with them

  Index count() const { return static_cast<Index>(starts.size()) - 1; }  ///< of supernodes
};

/// An analysis that all factorisations of one pattern share; null before the first.
using SharedSupernodes = std::shared_ptr<const Supernodes>;

/// Neighbouring columns that have the same rows, as blocks: the degrees of freedom of a body.
BlockShape blocks_of(const ColumnMatrix& pattern);

/// Orders a matrix by blocks, and finds the supernodes of its factors. Approximate minimum degree, or
/// where factorisations are expensive the nested dissection of METIS or of CHOLMOD, whichever is
/// predicted to take the fewest operations.
/// \param pattern of a square matrix; values do not matter, and an entry stands for its transpose, too.
/// \param shape of blocks, which stay together and are taken to be full.
/// \throws std::runtime_error if CHOLMOD cannot analyse the pattern.
Supernodes supernodes_of(const ColumnMatrix& pattern, const BlockShape& shape);

}  // namespace frictionbench
