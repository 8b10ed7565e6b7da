#include "frictionbench/linalg/block_sweeps.hpp"

#include "frictionbench/math/largest_eigenvalue.hpp"

namespace frictionbench {

BlockSweeps::BlockSweeps(const ContactProblem& problem, WorkCounters& work)
    : blocks_(problem),
      W_(&problem.local().W),
      q_(&problem.local().q),
      work_(&work),
      stiffness_(blocks_.count()) {
  diagonal_.reserve(static_cast<std::size_t>(count()));
  for (Index i = 0; i < count(); ++i) {
    const Index first = blocks_.start(i), rows = blocks_.rows(i);
    Block& block = diagonal_.emplace_back(Block::Zero(rows, rows));
    for (Index a = 0; a < rows; ++a)
      for (SparseMatrix::InnerIterator entry(*W_, first + a); entry; ++entry)
        if (entry.col() >= first && entry.col() < first + rows)
          block(a, entry.col() - first) = entry.value();
    stiffness_[i] = largest_eigenvalue(block);
  }
}

BlockSweeps::Segment BlockSweeps::row_times(Index i, const Vector& x) const {
  const int* const columns = W_->innerIndexPtr();
  const double* const values = W_->valuePtr();
  Segment sum(blocks_.rows(i));
  for (Index a = 0; a < sum.size(); ++a) {
    const Index row = blocks_.start(i) + a;
    double entry = 0;
    for (Index k = W_->outerIndexPtr()[row]; k < W_->outerIndexPtr()[row + 1]; ++k)
      entry += values[k] * x[columns[k]];
    sum[a] = entry;
  }
  return sum;
}

}  // namespace frictionbench
