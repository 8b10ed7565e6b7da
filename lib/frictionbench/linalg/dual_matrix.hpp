/// \file
/// The matrix of the Woodbury identity, on degrees of freedom instead of contacts.
#pragma once

#include <vector>

#include "frictionbench/linalg/shiftable_matrix.hpp"

namespace frictionbench {

/// M + H B H^T (n x n) for fixed M and H and changing block-diagonal B, none of them symmetric, added
/// up contact by contact in one pattern.
class DualMatrix {
 public:
  /// With B = 0. \param M n x n. \param H n x m. \param shape of B.
  DualMatrix(const SparseMatrix& M, const SparseMatrix& H, BlockShape shape);

  const ColumnMatrix& matrix() const {
    return matrix_;
  }  ///< every entry that a B leads to is stored

  /// The matrix for another B.
  const ColumnMatrix& update(const BlockDiagonal& B);

 private:
  struct Contact {
    Matrix H;                // its columns of H, and of them the rows that are not zero
    std::vector<int> place;  // of the entries of H B H^T in the matrix, by columns
  };

  std::vector<Contact> contacts_;
  ColumnMatrix matrix_;
  Vector values_;  // of M, where the matrix stores them
  Matrix left_, product_;
};

}  // namespace frictionbench
