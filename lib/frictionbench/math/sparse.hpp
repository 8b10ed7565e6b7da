/// \file
/// Sparse matrices from entries, and parts of them.
#pragma once

#include <cstddef>
#include <vector>

#include "frictionbench/math/types.hpp"

namespace frictionbench {

/// By columns, as direct solvers read a matrix.
using ColumnMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

/// Entries of a matrix, in any order.
using Triplets = std::vector<Eigen::Triplet<double, int>>;

/// The matrix with these entries, zeros included. Those of the same place are summed.
template <typename M = SparseMatrix>
M assembled(Index rows, Index cols, const Triplets& entries) {
  M matrix(rows, cols);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

/// The entries of A in these rows and columns, zeros included. \param rows, cols increasing.
inline SparseMatrix submatrix(const SparseMatrix& A, const std::vector<Index>& rows,
                              const std::vector<Index>& cols) {
  constexpr Index left_out = -1;
  std::vector<Index> place(static_cast<std::size_t>(A.cols()), left_out);
  for (std::size_t k = 0; k < cols.size(); ++k)
    place[static_cast<std::size_t>(cols[k])] = static_cast<Index>(k);

  SparseMatrix part(static_cast<Index>(rows.size()), static_cast<Index>(cols.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    part.startVec(static_cast<Index>(k));
    for (SparseMatrix::InnerIterator entry(A, rows[k]); entry; ++entry)
      if (const Index col = place[static_cast<std::size_t>(entry.col())]; col != left_out)
        part.insertBack(static_cast<Index>(k), col) = entry.value();
  }
  part.finalize();
  return part;
}

}  // namespace frictionbench
