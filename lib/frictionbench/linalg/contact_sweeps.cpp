#include "frictionbench/linalg/contact_sweeps.hpp"

#include <algorithm>

namespace frictionbench {

template <int Dim>
BlockRows<Dim>::BlockRows(const SparseMatrix& W) {
  const Index contacts = W.rows() / Dim;
  row_start_.reserve(static_cast<std::size_t>(contacts) + 1);
  row_start_.push_back(0);
  diagonal_.assign(static_cast<std::size_t>(contacts), Block::Zero());

  // position[j] - 1 is where block (i, j) of the current row i went; 0 means not there yet
  std::vector<std::size_t> position(static_cast<std::size_t>(contacts), 0);
  std::vector<Index> columns;
  for (Index i = 0; i < contacts; ++i) {
    columns.clear();
    for (int a = 0; a < Dim; ++a)
      for (SparseMatrix::InnerIterator entry(W, Dim * i + a); entry; ++entry) {
        const Index j = entry.col() / Dim;
        if (position[static_cast<std::size_t>(j)] == 0) {
          position[static_cast<std::size_t>(j)] = 1;
          columns.push_back(j);
        }
      }
    std::sort(columns.begin(), columns.end());
    for (const Index j : columns) {
      blocks_.push_back(Block::Zero());
      column_.push_back(static_cast<int>(j));
      position[static_cast<std::size_t>(j)] = blocks_.size();
    }
    for (int a = 0; a < Dim; ++a)
      for (SparseMatrix::InnerIterator entry(W, Dim * i + a); entry; ++entry)
        blocks_[position[static_cast<std::size_t>(entry.col() / Dim)] - 1](a, entry.col() % Dim) +=
            entry.value();
    for (const Index j : columns) {
      if (j == i)
        diagonal_[static_cast<std::size_t>(i)] = blocks_[position[static_cast<std::size_t>(j)] - 1];
      position[static_cast<std::size_t>(j)] = 0;
    }
    row_start_.push_back(static_cast<Index>(blocks_.size()));
  }
  blocks_.resize(blocks_.size() + fetched_ahead, Block::Zero());
}

template class BlockRows<2>;
template class BlockRows<3>;

}  // namespace frictionbench
