/// \file
/// The number types that every layer shares.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace frictionbench {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// Rows are contiguous: a product `W r` and a Gauss-Seidel sweep both read W row by row, once.
using SparseMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;

}  // namespace frictionbench
