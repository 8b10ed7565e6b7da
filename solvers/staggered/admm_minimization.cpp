#include "frictionbench/solvers/staggered/admm_minimization.hpp"

#include <algorithm>

#include "frictionbench/linalg/counted.hpp"
#include "frictionbench/problem/facts.hpp"

namespace frictionbench::solvers {

namespace {

// The symmetric part of W in some rows and columns.
SparseMatrix submatrix(const SparseMatrix& W, const std::vector<Index>& components) {
  std::vector<Eigen::Triplet<double>> selected;
  for (std::size_t k = 0; k < components.size(); ++k)
    selected.emplace_back(components[k], static_cast<Index>(k), 1.0);
  SparseMatrix S(W.rows(), static_cast<Index>(components.size()));
  S.setFromTriplets(selected.begin(), selected.end());
  return symmetric_part(SparseMatrix(S.transpose() * W * S));
}

double largest_eigenvalue(const SparseMatrix& A, int iterations, WorkCounters& work) {
  const CountedMatrix counted(A, work.products);
  return power_iteration(A.rows(), iterations, [&](const Vector& x) { return counted.times(x); });
}

}  // namespace

AdmmMinimization::AdmmMinimization(Solve& solve, std::vector<Index> components, int most_iterations)
    : solve_(solve),
      components_(std::move(components)),
      most_iterations_(most_iterations),
      A_(submatrix(solve.problem().local().W, components_)),
      cholesky_(A_, solve.work()),
      penalty_(settings_, largest_eigenvalue(A_, settings_.power_iterations, solve.work())),
      z_(Vector::Zero(solve.unknowns())) {}

bool AdmmMinimization::factorize() {
  is_factored_ = cholesky_.factorize(settings_.eta + penalty_.rho());
  if (!is_factored_) solve_.fail("W + (eta + rho) I is not positive definite");
  return is_factored_;
}

int AdmmMinimization::run(const ConvexQuadratic& problem, int left, Vector& x) {
  const double tolerance = 0.1 * solve_.tolerance();
  const double eta = settings_.eta;
  const int most = std::min(left, most_iterations_);
  const int dimension = solve_.problem().dimension();
  problem.project(x);
  Vector f = x;
  for (int taken = 1;; ++taken) {
    if (!is_factored_ && !factorize()) return 0;
    const double rho = penalty_.rho();
    const Vector old_f = f, old_x = x;
    const Vector u = problem.gradient(x);
    Vector step = (u - z_ + eta * (x - f))(components_);
    cholesky_.solve_in_place(step);
    f = x;
    f(components_) -= step;
    x = f - z_ / rho;
    problem.project(x);
    const Vector primal = f - x;  // (40)
    z_ -= rho * primal;
    const Vector dual = eta * (f - old_f) + rho * (x - old_x);  // (41)

    ConeResiduals balanced;  // in the units of the solver
    const ConeResiduals residuals =
        largest_residuals(solve_.contacts(), solve_.units(), [&](Index i) -> ConeResiduals {
          const auto largest = [&](const Vector& all) {
            return all.segment(dimension * i, dimension).lpNorm<Eigen::Infinity>();
          };
          const ConeResiduals own{largest(primal), largest(dual), 0};
          balanced.take_contact(i, own, 1, 1);
          return own;
        });
    if (residuals.max() <= tolerance || taken >= most || solve_.time_is_up()) {
      gradient_ = problem.gradient(x);
      return taken;
    }
    if (const int direction = penalty_.direction(balanced.primal, balanced.dual)) {
      penalty_.move(direction);
      is_factored_ = false;
    }
  }
}

}  // namespace frictionbench::solvers
