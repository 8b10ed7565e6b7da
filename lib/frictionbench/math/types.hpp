/// \file
/// The number types that all layers share.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace frictionbench {

using Index = Eigen::Index;      ///< of rows, contacts, unknowns
using Vector = Eigen::VectorXd;  ///< dense, of any length
using Matrix = Eigen::MatrixXd;  ///< dense, column-major

/// To read a vector of any kind that is contiguous, without a copy: also one on the stack.
using VectorView = const Eigen::Ref<const Vector>&;

/// Row-major, because a product `W r` and a Gauss-Seidel sweep both read W row by row.
using SparseMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;

}  // namespace frictionbench
