/// \file
/// Vectors in blocks: where each begins, and the entries of one.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "frictionbench/math/types.hpp"

namespace frictionbench {

/// The most rows of a block: those of a joint that locks two bodies to each other have 6.
constexpr int most_block_rows = 8;
/// Entries of one block in a vector, inside the object itself.
using BlockVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_block_rows, 1>;
/// Acts on them.
using BlockMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most_block_rows, most_block_rows>;

/// How rows are divided into blocks: all of one size, or not.
class BlockShape {
 public:
  /// Blocks of one size. \param size rows of a block. \param count of blocks.
  BlockShape(Index size, Index count) : size_(size), count_(count) {}
  /// \param starts first row of each block, and the number of rows: increasing.
  explicit BlockShape(std::vector<Index> starts)
      : size_(0), count_(static_cast<Index>(starts.size()) - 1), starts_(std::move(starts)) {
    values_before_.push_back(0);
    for (Index i = 0; i < count_; ++i)
      values_before_.push_back(values_before_.back() + rows(i) * rows(i));
  }

  Index count() const { return count_; }         ///< of blocks
  Index order() const { return start(count_); }  ///< rows of all blocks
  /// First row of block i; order() for i = count().
  Index start(Index i) const {
    return starts_.empty() ? size_ * i : starts_[static_cast<std::size_t>(i)];
  }
  Index rows(Index i) const {  ///< of block i
    return starts_.empty() ? size_ : start(i + 1) - start(i);
  }
  /// The block that has this row.
  Index at_row(Index row) const {
    if (starts_.empty()) return row / size_;
    return std::ranges::upper_bound(starts_, row) - starts_.begin() - 1;
  }
  /// Entries of the blocks before block i; of all for i = count().
  Index values_before(Index i) const {
    return starts_.empty() ? size_ * size_ * i : values_before_[static_cast<std::size_t>(i)];
  }

  bool operator==(const BlockShape&) const = default;

 private:
  Index size_;
  Index count_;
  std::vector<Index> starts_;         // empty if all have size_ rows
  std::vector<Index> values_before_;  // the same
};

}  // namespace frictionbench
