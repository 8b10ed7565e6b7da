#include "frictionbench/problem/reduction.hpp"

#include <Eigen/CholmodSupport>
#include <Eigen/UmfPackSupport>
#include <memory>

#include "frictionbench/problem/facts.hpp"

namespace frictionbench {

namespace {

using ColumnMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

// Above this relative asymmetry M is taken as unsymmetric. Round-off of an assembled M is below.
constexpr double symmetric_to_round_off = 1e-14;

template <typename Factorization>
Reduction reduce_with(std::shared_ptr<const Factorization> mass, const GlobalForm& form) {
  Reduction reduction;
  reduction.solve_mass = [mass](const Vector& b) -> Vector { return mass->solve(b); };
  reduction.local.q = form.H.transpose() * reduction.solve_mass(form.f) + form.w;
  if (form.H.cols() == 0) {
    reduction.local.W.resize(0, 0);
    return reduction;
  }
  const ColumnMatrix H = form.H;
  const ColumnMatrix inverse_times_H = mass->solve(H);
  reduction.local.W = SparseMatrix(H.transpose() * inverse_times_H);
  reduction.local.W.makeCompressed();
  return reduction;
}

}  // namespace

Reduction reduce(const GlobalForm& form) {
  const InvalidProblem singular("M", "is singular, so the problem has no local form");
  // An empty matrix has no arrays, which CHOLMOD takes for an error of the caller.
  if (form.M.nonZeros() == 0) throw singular;
  const ColumnMatrix M = form.M;
  if (relative_asymmetry(form.M) <= symmetric_to_round_off) {
    auto cholesky = std::make_shared<Eigen::CholmodDecomposition<ColumnMatrix>>();
    cholesky->cholmod().print = 0;  // failures are reported by the LU below
    cholesky->compute(M);
    if (cholesky->info() == Eigen::Success)
      return reduce_with<Eigen::CholmodDecomposition<ColumnMatrix>>(cholesky, form);
  }
  auto lu = std::make_shared<Eigen::UmfPackLU<ColumnMatrix>>();
  lu->compute(M);
  if (lu->info() != Eigen::Success) throw singular;
  return reduce_with<Eigen::UmfPackLU<ColumnMatrix>>(lu, form);
}

}  // namespace frictionbench
