#include "frictionbench/problem/reduction.hpp"

#include <Eigen/CholmodSupport>
#include <Eigen/UmfPackSupport>
#include <algorithm>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include "frictionbench/math/cholmod_memory.hpp"
#include "frictionbench/math/components.hpp"
#include "frictionbench/math/sparse.hpp"
#include "frictionbench/problem/facts.hpp"
#include "frictionbench/problem/internal/first_fit.hpp"

namespace frictionbench {

namespace {

// Above this relative asymmetry M is taken as unsymmetric. Round-off of an assembled M is below.
constexpr double symmetric_to_round_off = 1e-14;

constexpr Index most_at_once = 32;  // right-hand sides of a solve, to bound memory

// The bodies that each column of H acts on, increasing.
std::vector<std::vector<int>> bodies_of_columns(const ColumnMatrix& H,
                                                const std::vector<Index>& body) {
  std::vector<std::vector<int>> bodies(static_cast<std::size_t>(H.cols()));
  for (Index j = 0; j < H.cols(); ++j) {
    std::vector<int>& touched = bodies[static_cast<std::size_t>(j)];
    for (ColumnMatrix::InnerIterator entry(H, j); entry; ++entry)
      touched.push_back(static_cast<int>(body[static_cast<std::size_t>(entry.row())]));
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  }
  return bodies;
}

// M^-1 H. \param solve B -> M^-1 B, for a matrix of n rows.
template <typename Solve>
ColumnMatrix inverse_times(const SparseMatrix& M, const ColumnMatrix& H, const Solve& solve) {
  const std::vector<Index> body = bodies_of(M);
  const std::vector<std::vector<Index>> bodies = members(body);
  const std::vector<std::vector<int>> bodies_of_column = bodies_of_columns(H, body);
  const std::vector<std::vector<int>> groups = first_fit(bodies_of_column, bodies.size());

  ColumnMatrix X(H.rows(), H.cols());
  Eigen::VectorXi entries(H.cols());
  Index places = 0;
  for (Index j = 0; j < H.cols(); ++j) {
    entries[j] = 0;
    for (const int b : bodies_of_column[static_cast<std::size_t>(j)])
      entries[j] += static_cast<int>(bodies[static_cast<std::size_t>(b)].size());
    places += entries[j];
  }
  // Eigen adds them up in 32 bits.
  if (places > std::numeric_limits<ColumnMatrix::StorageIndex>::max()) throw std::bad_alloc();
  X.reserve(entries);

  const auto count = static_cast<Index>(groups.size());
  for (Index first = 0; first < count; first += most_at_once) {
    Matrix right = Matrix::Zero(H.rows(), std::min(most_at_once, count - first));
    for (Index k = 0; k < right.cols(); ++k)
      for (const int j : groups[static_cast<std::size_t>(first + k)]) right.col(k) += H.col(j);
    const Matrix solution = solve(right);
    for (Index k = 0; k < right.cols(); ++k)
      for (const int j : groups[static_cast<std::size_t>(first + k)])
        for (const int b : bodies_of_column[static_cast<std::size_t>(j)])
          for (const Index row : bodies[static_cast<std::size_t>(b)])
            if (solution(row, k) != 0) X.insert(row, j) = solution(row, k);
  }
  X.makeCompressed();
  return X;
}

// M and its factorisation, together: UmfPackLU reads the matrix again when it solves.
template <typename Factorization>
struct FactorizedMass {
  explicit FactorizedMass(const SparseMatrix& M) : matrix(M) {}
  ColumnMatrix matrix;
  Factorization factorization;
};

}  // namespace

std::vector<Index> bodies_of(const SparseMatrix& M) {
  Components components(M.rows());
  for (Index row = 0; row < M.rows(); ++row)
    for (SparseMatrix::InnerIterator entry(M, row); entry; ++entry)
      if (entry.value() != 0) components.join(row, entry.col());
  return components.numbers();
}

MassSolver mass_solver(const SparseMatrix& M) {
  using Cholesky = FactorizedMass<Eigen::CholmodDecomposition<ColumnMatrix>>;
  using LU = FactorizedMass<Eigen::UmfPackLU<ColumnMatrix>>;
  const InvalidProblem singular("M", "is singular, so the problem has no local form");
  if (M.rows() == 0) return [](const Matrix& B) -> Matrix { return B; };
  // An empty matrix has no arrays, which CHOLMOD takes for an error of the caller.
  if (M.nonZeros() == 0) throw singular;

  const auto solver_with = [](const auto& mass) -> MassSolver {
    return [mass](const Matrix& B) -> Matrix { return mass->factorization.solve(B); };
  };
  if (relative_asymmetry(M) <= symmetric_to_round_off) {
    const auto mass = std::make_shared<Cholesky>(M);
    mass->factorization.cholmod().print = 0;  // failures are reported by the LU below
    mass->factorization.compute(mass->matrix);
    check_memory(mass->factorization.cholmod().status);
    if (mass->factorization.info() == Eigen::Success) return solver_with(mass);
  }
  const auto mass = std::make_shared<LU>(M);
  mass->factorization.compute(mass->matrix);
  if (mass->factorization.umfpackFactorizeReturncode() == UMFPACK_ERROR_out_of_memory)
    throw std::bad_alloc();
  if (mass->factorization.info() != Eigen::Success) throw singular;
  return solver_with(mass);
}

Reduction reduce(const GlobalForm& form) {
  Reduction reduction{{}, mass_solver(form.M)};
  reduction.local.q = form.H.transpose() * Vector(reduction.solve_mass(form.f)) + form.w;
  if (form.H.cols() == 0) {
    reduction.local.W.resize(0, 0);
    return reduction;
  }
  const ColumnMatrix H = form.H;
  const ColumnMatrix inverse_times_H = inverse_times(form.M, H, reduction.solve_mass);
  reduction.local.W = SparseMatrix(H.transpose() * inverse_times_H);
  reduction.local.W.makeCompressed();
  return reduction;
}

}  // namespace frictionbench
