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

// M and its factorisation, together: UmfPackLU reads the matrix again when it solves.
template <typename Factorization>
struct FactorizedMass {
  explicit FactorizedMass(const SparseMatrix& M) : matrix(M) {}
  ColumnMatrix matrix;
  Factorization factorization;
};

template <typename Factorization>
Reduction reduce_with(std::shared_ptr<const FactorizedMass<Factorization>> mass,
                      const GlobalForm& form) {
  Reduction reduction;
  reduction.solve_mass = [mass](const Vector& b) -> Vector { return mass->factorization.solve(b); };
  reduction.local.q = form.H.transpose() * reduction.solve_mass(form.f) + form.w;
  if (form.H.cols() == 0) {
    reduction.local.W.resize(0, 0);
    return reduction;
  }
  const ColumnMatrix H = form.H;
  const ColumnMatrix inverse_times_H = mass->factorization.solve(H);
  reduction.local.W = SparseMatrix(H.transpose() * inverse_times_H);
  reduction.local.W.makeCompressed();
  return reduction;
}

}  // namespace

Reduction reduce(const GlobalForm& form) {
  using Cholesky = FactorizedMass<Eigen::CholmodDecomposition<ColumnMatrix>>;
  using LU = FactorizedMass<Eigen::UmfPackLU<ColumnMatrix>>;
  const InvalidProblem singular("M", "is singular, so the problem has no local form");
  // An empty matrix has no arrays, which CHOLMOD takes for an error of the caller.
  if (form.M.nonZeros() == 0) throw singular;

  if (relative_asymmetry(form.M) <= symmetric_to_round_off) {
    auto mass = std::make_shared<Cholesky>(form.M);
    mass->factorization.cholmod().print = 0;  // failures are reported by the LU below
    mass->factorization.compute(mass->matrix);
    if (mass->factorization.info() == Eigen::Success)
      return reduce_with(std::shared_ptr<const Cholesky>(mass), form);
  }
  auto mass = std::make_shared<LU>(form.M);
  mass->factorization.compute(mass->matrix);
  if (mass->factorization.info() != Eigen::Success) throw singular;
  return reduce_with(std::shared_ptr<const LU>(mass), form);
}

}  // namespace frictionbench
