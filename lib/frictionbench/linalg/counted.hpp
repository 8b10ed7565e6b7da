/// \file
/// Small pieces of counted work.
#pragma once

#include <cstdint>

#include "frictionbench/linalg/work_counters.hpp"
#include "frictionbench/math/types.hpp"

namespace frictionbench {

/// A matrix whose products are counted.
class CountedMatrix {
 public:
  /// Both must outlive it. \param count a member of WorkCounters.
  CountedMatrix(const SparseMatrix& A, std::int64_t& count) : A_(&A), count_(&count) {}

  /// A x. One count.
  Vector times(const Vector& x) const {
    ++*count_;
    return *A_ * x;
  }
  /// A^T x. One count.
  Vector transposed_times(const Vector& x) const {
    ++*count_;
    return A_->transpose() * x;
  }

 private:
  const SparseMatrix* A_;
  std::int64_t* count_;
};

/// What a pivoting method does with bases that it factors in its own way.
class PivotingWork {
 public:
  /// `work` must outlive it.
  explicit PivotingWork(WorkCounters& work) : work_(&work) {}
  void count_pivot() { ++work_->pivots; }              ///< once per pivot
  void count_lu() { ++work_->factorizations.lu; }      ///< once per factorisation L U
  void count_ldlt() { ++work_->factorizations.ldlt; }  ///< once per factorisation L D L^T
  void count_solve() { ++work_->triangular_solves; }   ///< once per solve with one

 private:
  WorkCounters* work_;
};

/// The trial steps of a line search.
class TrialSteps {
 public:
  /// `work` must outlive it.
  explicit TrialSteps(WorkCounters& work) : work_(&work) {}
  void count() { ++work_->line_search; }  ///< to be called once per trial step

 private:
  WorkCounters* work_;
};

}  // namespace frictionbench
