/// \file
/// L D L^T of a symmetric matrix whose rows come and go.
#pragma once

#include "frictionbench/linalg/counted.hpp"
#include "frictionbench/math/types.hpp"

namespace frictionbench::solvers {

/// L D L^T = A_CC for a list C of rows of a symmetric positive definite A. Appending a row costs a
/// forward sweep; dropping one, an update of rank one of the rows behind it, which adds to D and so loses
/// no accuracy (Gill, Golub, Murray, Saunders, Math. Comp. 28 (1974), method C1).
class GrowingLdlt {
 public:
  /// \param most_rows that C may have.
  GrowingLdlt(Index most_rows, WorkCounters& work)
      : L_(most_rows, most_rows), d_(most_rows), work_(work) {}

  Index size() const { return size_; }  ///< rows of C
  void clear() { size_ = 0; }           ///< C becomes empty

  /// Factors a matrix from nothing. \param A size x size, the lower triangle is read.
  /// \returns false, and C is empty, if it is not positive definite.
  [[nodiscard]] bool factorize(const Matrix& A);

  /// Adds a row at the end. \param a its entries with the rows of C. \param diagonal with itself.
  /// \returns false if it is not positive definite then; nothing changes.
  [[nodiscard]] bool append(const Vector& a, double diagonal);

  /// Drops row k of C; those behind it move up.
  void drop(Index k);

  /// A_CC^-1 b. \param b size().
  Vector solve(const Vector& b) const;

 private:
  Matrix L_;  // unit lower triangle, without its diagonal
  Vector d_;
  Index size_ = 0;
  mutable PivotingWork work_;
};

}  // namespace frictionbench::solvers
