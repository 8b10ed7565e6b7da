/// \file
/// The largest eigenvalue of a small matrix.
#pragma once

#include <Eigen/Eigenvalues>

#include "frictionbench/math/types.hpp"

namespace frictionbench {

/// That of the symmetric part of a block, whose size is known or bounded at compile time.
template <typename Derived>
double largest_eigenvalue(const Eigen::MatrixBase<Derived>& block) {
  using Block = typename Derived::PlainObject;
  if (block.rows() == 1) return block(0, 0);
  const Block symmetric = (block + block.transpose()) / 2;
  return Eigen::SelfAdjointEigenSolver<Block>(symmetric, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .maxCoeff();
}

}  // namespace frictionbench
