/// \file
/// The Delassus matrix by contact, for methods that treat one contact at a time.
#pragma once

#include <vector>

#include "frictionbench/math/types.hpp"

namespace frictionbench {

/// Rows of Dim x Dim blocks. Block row i holds the blocks W_ij of all j that touch contact i, in
/// increasing j, contiguous in memory: a sweep over the contacts reads W once, in order.
template <int Dim>
class BlockRows {
 public:
  using Block = Eigen::Matrix<double, Dim, Dim>;  ///< rows of one contact x columns of another
  using Segment = Eigen::Matrix<double, Dim, 1>;  ///< entries of one contact in a vector

  /// \param W Dim n_c x Dim n_c. A block with any entry is stored whole.
  explicit BlockRows(const SparseMatrix& W);

  Index contacts() const { return static_cast<Index>(row_start_.size()) - 1; }  ///< n_c

  /// (W x)_i, the rows of contact i times x (Dim n_c).
  Segment row_times(Index i, const Vector& x) const {
    // Local copies: the compiler cannot know that nothing below changes the members.
    const Block* const blocks = blocks_.data();
    const int* const columns = column_.data();
    const double* const entries = x.data();
    const Index end = row_start_[static_cast<std::size_t>(i) + 1];
    Segment sum = Segment::Zero();
    for (Index k = row_start_[static_cast<std::size_t>(i)]; k < end; ++k) {
      __builtin_prefetch(blocks + k + fetched_ahead);
      const Eigen::Map<const Segment> x_j(entries + Dim * columns[k]);
      sum += blocks[k].lazyProduct(x_j);
    }
    return sum;
  }

  /// (W r + q)_i - W_ii r_i, the velocity of contact i without its own impulse.
  Segment free_velocity(Index i, const Vector& r, const Vector& q) const {
    return row_times(i, r) + q.template segment<Dim>(Dim * i) -
           diagonal(i) * r.template segment<Dim>(Dim * i);
  }

  /// W_ii; zero if no entry of it is stored.
  const Block& diagonal(Index i) const { return diagonal_[static_cast<std::size_t>(i)]; }

 private:
  // The processor's own prefetching, a few blocks ahead, leaves a third of a sweep's speed unused.
  // 1 to 8 kB perform alike (tests/benchmarks/bench_sweep.cpp).
  static constexpr Index fetched_ahead = 2048 / static_cast<Index>(sizeof(Block));

  std::vector<Index> row_start_;  // contacts + 1
  std::vector<int> column_;       // contact j of each block
  std::vector<Block> blocks_;     // and fetched_ahead more, so that prefetching stays inside
  std::vector<Block> diagonal_;
};

extern template class BlockRows<2>;
extern template class BlockRows<3>;

}  // namespace frictionbench
