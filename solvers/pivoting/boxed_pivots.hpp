/// \file
/// Principal pivoting for linear complementarity problems with bounds.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "frictionbench/solvers/pivoting/growing_ldlt.hpp"
#include "frictionbench/solvers/pivoting/pivot_run.hpp"

namespace frictionbench::solvers {

/// The method of Cottle and Dantzig (1968), as Baraff (SIGGRAPH 1994) describes it and ODE has it, for
///
///     w = A x + b,     lo <= x <= hi,     w_i >= 0 where x_i = lo_i,  <= 0 where x_i = hi_i,  else 0
///
/// with a symmetric positive definite A and lo <= 0 <= hi. Rows are taken in turn: x_i is driven from 0
/// towards w_i = 0 while all earlier rows keep their conditions, those with w = 0 (the clamped set C) by
/// moving along. A row whose condition is about to break changes sets, which is a pivot.
class BoxedPivots {
 public:
  enum class Set : signed char { waiting, clamped, low, high };  ///< where a row is

  /// \param A n x n; must outlive this.
  BoxedPivots(const Matrix& A, const PivotRun& run);

  Index size() const { return A_->rows(); }  ///< n
  const Vector& x() const { return x_; }     ///< n

  /// Solves from nothing. \param bounds called with row i and the x so far when the turn of row i comes;
  /// returns lo_i and hi_i. \param b n.
  /// \returns solved, ray, cycle, singular or interrupted.
  LcpEnd solve(const Vector& b,
               const std::function<std::pair<double, double>(Index, const Vector&)>& bounds);

  /// Solves for another b and bounds by the sets of the last solve(), without a pivot.
  /// \returns false if these do not solve it; x() is not to be used then. \param lo, hi n.
  bool solve_by_last_sets(const Vector& b, const Vector& lo, const Vector& hi);

 private:
  struct Step;
  LcpEnd drive(Index i);
  Step longest_step(Index i, double direction, const Vector& dx, const Vector& dw) const;
  void leave_clamped(Index i);
  bool enter_clamped(Index i);
  Vector column_of_clamped(Index i) const;

  const Matrix* A_;
  const PivotRun* run_;
  GrowingLdlt ldlt_;
  std::vector<Index> clamped_;  // C, in the order of the factorisation
  std::vector<Set> set_;
  Vector x_, w_, lo_, hi_;
};

}  // namespace frictionbench::solvers
