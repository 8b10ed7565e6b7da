#include "frictionbench/linalg/block_diagonal.hpp"

namespace frictionbench {

SparseMatrix sparse(const BlockDiagonal& blocks) {
  const Index size = blocks.size();
  SparseMatrix matrix(blocks.order(), blocks.order());
  matrix.reserve(Eigen::VectorXi::Constant(blocks.order(), static_cast<int>(size)));
  for (Index row = 0; row < blocks.order(); ++row) {
    const Index block = row / size;
    for (Index k = 0; k < size; ++k)
      matrix.insert(row, size * block + k) = blocks.block(block)(row % size, k);
  }
  matrix.makeCompressed();
  return matrix;
}

}  // namespace frictionbench
