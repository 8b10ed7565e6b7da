/// \file
/// Small pieces of counted work.
#pragma once

#include <utility>

#include "frictionbench/linalg/work_counters.hpp"
#include "frictionbench/math/types.hpp"

namespace frictionbench {

/// A matrix of its own whose products are counted with those of W.
class CountedMatrix {
 public:
  /// `work` must outlive it.
  CountedMatrix(SparseMatrix A, WorkCounters& work) : A_(std::move(A)), work_(&work) {}

  const SparseMatrix& matrix() const { return A_; }
  Vector times(const Vector& x) const {
    ++work_->products;
    return A_ * x;
  }

 private:
  SparseMatrix A_;
  WorkCounters* work_;
};

/// The trial steps of a line search.
class TrialSteps {
 public:
  /// `work` must outlive it.
  explicit TrialSteps(WorkCounters& work) : work_(&work) {}
  void count() { ++work_->line_search; }

 private:
  WorkCounters* work_;
};

}  // namespace frictionbench
