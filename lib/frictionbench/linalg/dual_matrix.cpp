#include "frictionbench/linalg/dual_matrix.hpp"

#include <algorithm>
#include <set>

namespace frictionbench {

namespace {

BlockDiagonal ones(const BlockShape& shape) {
  BlockDiagonal blocks(shape);
  for (Index i = 0; i < blocks.blocks(); ++i) blocks.block(i).setOnes();
  return blocks;
}

}  // namespace

DualMatrix::DualMatrix(const SparseMatrix& M, const SparseMatrix& H, BlockShape shape) {
  const SparseMatrix transposed = H.transpose();
  const SparseMatrix coupled = H * sparse(ones(shape));
  matrix_ = ColumnMatrix(M + SparseMatrix(coupled * transposed));
  matrix_.makeCompressed();
  const auto place_of = [&](Index row, Index column) {
    const int* rows = matrix_.innerIndexPtr();
    const int *first = rows + matrix_.outerIndexPtr()[column],
              *last = rows + matrix_.outerIndexPtr()[column + 1];
    return static_cast<int>(std::lower_bound(first, last, static_cast<int>(row)) - rows);
  };
  values_ = Vector::Zero(matrix_.nonZeros());
  for (Index row = 0; row < M.rows(); ++row)
    for (SparseMatrix::InnerIterator entry(M, row); entry; ++entry)
      values_[place_of(row, entry.col())] = entry.value();

  for (Index i = 0; i < shape.count(); ++i) {
    std::set<Index> freedoms;
    const Index start = shape.start(i), size = shape.rows(i);
    for (Index k = start; k < start + size; ++k)
      for (SparseMatrix::InnerIterator entry(transposed, k); entry; ++entry)
        freedoms.insert(entry.col());
    Contact contact{.H = Matrix::Zero(static_cast<Index>(freedoms.size()), size), .place = {}};
    for (Index k = 0; k < size; ++k)
      for (SparseMatrix::InnerIterator entry(transposed, start + k); entry; ++entry)
        contact.H(std::distance(freedoms.begin(), freedoms.find(entry.col())), k) = entry.value();
    for (const Index column : freedoms)
      for (const Index row : freedoms) contact.place.push_back(place_of(row, column));
    contacts_.push_back(std::move(contact));
  }
  update(BlockDiagonal(shape));
}

auto DualMatrix::update(const BlockDiagonal& B) -> const ColumnMatrix& {
  Eigen::Map<Vector> values(matrix_.valuePtr(), matrix_.nonZeros());
  values = values_;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const auto& [H, place] = contacts_[i];
    left_ = H.lazyProduct(B.block(static_cast<Index>(i)));
    product_ = left_.lazyProduct(H.transpose());
    for (std::size_t k = 0; k < place.size(); ++k) values[place[k]] += product_.data()[k];
  }
  return matrix_;
}

}  // namespace frictionbench
