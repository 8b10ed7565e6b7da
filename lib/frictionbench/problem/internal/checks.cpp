#include "frictionbench/problem/internal/checks.hpp"

#include <fmt/format.h>

#include <cmath>

namespace frictionbench {

namespace {

// \param dataset of the piece that has the values, "/x" in matrices.
void check_finite(const char* piece, const char* dataset, const double* values, Index size) {
  // 0 * x is 0 for every finite x and NaN for the others: one pass that the compiler vectorises.
  if ((Eigen::Map<const Eigen::ArrayXd>(values, size) * 0.0).sum() == 0) return;
  for (Index k = 0; k < size; ++k)
    if (!std::isfinite(values[k]))
      throw InvalidProblem(fmt::format("{}{}", piece, dataset),
                           fmt::format("entry {} is {}; every entry must be finite", k, values[k]));
}

}  // namespace

void check_vector(const char* piece, const Vector& vector, Index size, const char* size_name) {
  if (vector.size() != size)
    throw InvalidProblem(
        piece, fmt::format("has {} entries, expected {} ({})", vector.size(), size, size_name));
  check_finite(piece, "", vector.data(), vector.size());
}

void check_matrix(const char* piece, SparseMatrix& matrix, Index rows, Index cols,
                  const char* size_name) {
  if (matrix.rows() != rows || matrix.cols() != cols)
    throw InvalidProblem(piece, fmt::format("is {} x {}, expected {} x {} ({})", matrix.rows(),
                                            matrix.cols(), rows, cols, size_name));
  matrix.makeCompressed();
  check_finite(piece, "/x", matrix.valuePtr(), matrix.nonZeros());
}

void check_friction(int dimension, const Vector& mu) {
  if (dimension != 2 && dimension != 3)
    throw InvalidProblem("spacedim", fmt::format("is {}, expected 2 or 3", dimension));
  check_finite("vectors/mu", "", mu.data(), mu.size());
  constexpr double largest = 1e100;  // its square must be finite
  for (Index i = 0; i < mu.size(); ++i)
    if (mu[i] < 0 || mu[i] > largest)
      throw InvalidProblem("vectors/mu",
                           fmt::format("entry {} is {}; a friction coefficient must not be {}", i,
                                       mu[i], mu[i] < 0 ? "negative" : "above 1e100"));
}

}  // namespace frictionbench
