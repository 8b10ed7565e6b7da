/// \file
/// The Delassus matrix by blocks of any size, with sweeps and products counted: what ContactSweeps is
/// for a plain problem.
#pragma once

#include <vector>

#include "frictionbench/linalg/block_diagonal.hpp"
#include "frictionbench/linalg/work_counters.hpp"
#include "frictionbench/problem/blocks.hpp"

namespace frictionbench {

/// The rows and the right-hand side of a problem that is not plain. Members as of ContactSweeps.
class BlockSweeps {
 public:
  using Block = BlockMatrix;    ///< rows of one block x columns of it
  using Segment = BlockVector;  ///< entries of one block in a vector

  /// Both must outlive it.
  BlockSweeps(const ContactProblem& problem, WorkCounters& work);

  Index count() const { return blocks_.count(); }                     ///< n_b
  const BlockShape& shape() const { return blocks_.shape(); }         ///< rows of the blocks
  const ConstraintSet& set(Index i) const { return blocks_.set(i); }  ///< of block i
  /// The projection on it.
  Segment project(Index i, const Segment& x) const { return set(i).project(x); }
  /// Γ(u_i), of the first component.
  double correction(Index i, const Segment& u) const { return set(i).correction(u); }
  /// W_ii.
  const Block& W(Index i) const { return diagonal_[static_cast<std::size_t>(i)]; }
  /// The largest eigenvalue of the symmetric part of W_ii.
  double stiffness(Index i) const { return stiffness_[i]; }
  /// The entries of block i. \param x m.
  template <typename Entries>
  auto of(Entries&& x, Index i) const {
    return blocks_.of(x, i);
  }

  /// (W r + q)_i.
  Segment velocity(Index i, const Vector& r) const { return row_times(i, r) + of(*q_, i); }
  /// (W r + q)_i - W_ii r_i, the velocity of block i without its own impulse.
  Segment free_velocity(Index i, const Vector& r) const { return free_velocity(i, r, *q_); }
  /// The same for another q, m.
  Segment free_velocity(Index i, const Vector& r, const Vector& q) const {
    return row_times(i, r) + of(q, i) - W(i) * of(r, i);
  }
  /// W r + q, m; one product.
  Vector velocity(const Vector& r) const {
    ++work_->products;
    return *W_ * r + *q_;
  }

  /// One sweep: calls update(i) for each block, by number or in the given order.
  template <typename Update>
  void sweep(Update&& update) const {
    ++work_->sweeps;
    for (Index i = 0; i < count(); ++i) update(i);
  }
  /// \param order blocks by number; each may occur any number of times.
  template <typename Update>
  void sweep(const std::vector<Index>& order, Update&& update) const {
    ++work_->sweeps;
    for (const Index i : order) update(i);
  }

 private:
  Segment row_times(Index i, const Vector& x) const;

  AnyBlocks blocks_;
  const SparseMatrix* W_;
  const Vector* q_;
  WorkCounters* work_;
  std::vector<Block> diagonal_;
  Vector stiffness_;  // n_b
};

}  // namespace frictionbench
