/// \file
/// What methods are predicted to cost: how many sweeps to try before one that factorises, and whether to
/// factorise at all.
#pragma once

#include <algorithm>

#include "frictionbench/linalg/block_sweeps.hpp"
#include "frictionbench/linalg/contact_sweeps.hpp"
#include "frictionbench/linalg/delassus_operator.hpp"

namespace frictionbench::solvers {

/// What an LU factorisation of W takes. Analyses W when that is first needed, and factorises nothing.
class LuBudget {
 public:
  explicit LuBudget(const DelassusOperator& W) : W_(W) {}  ///< keeps W

  /// Sweeps over the contacts, each two operations per entry of W, that cost as much as 30 of them.
  int affordable_sweeps() const {
    constexpr double factorizations = 30, most = 1e6;
    const double sweep = 2 * static_cast<double>(W_.matrix().nonZeros());
    return static_cast<int>(std::min(most, factorizations * W_.lu_cost().operations / sweep));
  }

  /// Bytes that it takes while it is made: those of a full W if that is no more than `enough`, otherwise
  /// from the analysis, which was 1.2 to 1.7 times what four piles of 2200 to 16 900 contacts took.
  double bytes(double enough) const {
    constexpr double bytes_an_entry = 16;  // of L and U, with places and working memory
    const double unknowns = static_cast<double>(W_.size());
    const double full = bytes_an_entry * 2 * unknowns * unknowns;
    return full <= enough ? full : bytes_an_entry * W_.lu_cost().entries;
  }

 private:
  const DelassusOperator& W_;
};

/// Predicted work of the methods that follow each other, in nanoseconds of a processor that takes one
/// for an entry of W in a product; no more than their ratios matter. Least squares of relative errors on
/// the measured times of about 90 plain problems and 50 with other sets: right to a factor 1.5.
/// Factorisations are left out, because their work is not known before an analysis: methods that
/// factorise cost at least this.
class PredictedWork {
 public:
  /// \param W the operator of the problem. \param rows its blocks, as Solve::with_sweeps() gives them.
  template <typename Rows>
  PredictedWork(const DelassusOperator& W, const Rows& rows)
      : entries_(static_cast<double>(W.matrix().nonZeros())),
        blocks_(static_cast<double>(rows.count())) {
    for (Index i = 0; i < rows.count(); ++i) alone_ += alone(rows, i);
  }

  /// A sweep that solves each block exactly.
  double sweep() const { return 450 + entries_ + alone_; }
  /// The setup of accelerated_admm(): 20 products for the largest eigenvalue, and 20 sweeps.
  double admm_setup() const { return 20 * entries_ + 20 * (entries_ + 100 * blocks_); }
  /// 15 steps of interior_point(), what it takes as a rule.
  double interior_point() const { return 15 * (16 * entries_ + 1300 * blocks_); }

  /// The number of sweeps that cost as much, at least one.
  int sweeps(double work) const { return std::max(1, static_cast<int>(work / sweep())); }

 private:
  // Of one block, with the impulses of the others held.
  template <int Dim>
  static double alone(const ContactSweeps<Dim>&, Index) {
    return 60;
  }
  static double alone(const BlockSweeps& rows, Index i) {
    const bool in_closed_form =
        !(rows.stiffness(i) > 0) ||
        rows.set(i).solve_alone(rows.W(i), BlockVector::Zero(rows.W(i).rows()));
    return in_closed_form ? 120 : 2000;
  }

  double entries_, blocks_;
  double alone_ = 0;
};

}  // namespace frictionbench::solvers
