#include "frictionbench/inverse/inverse_dynamics.hpp"

#include <stdexcept>
#include <string>

#include "frictionbench/problem/blocks.hpp"

namespace frictionbench {

namespace {

void check(const Vector& c, const Vector& R, const Vector& mu, const InverseOptions& options) {
  const auto require = [](bool condition, const char* otherwise) {
    if (!condition) throw std::invalid_argument(std::string("inverse dynamics: ") + otherwise);
  };
  require(options.model != ContactModel::lcp, "of the NCP or the CCP, not of the LCP");
  require(options.rho > 0, "rho must be positive");
  require(mu.size() == 0 ? c.size() == 0 : c.size() == 2 * mu.size() || c.size() == 3 * mu.size(),
          "velocities have two or three components per contact");
  require(R.size() == c.size(), "the compliance has as many entries as the velocities");
  require(options.start.size() == 0 || options.start.size() == c.size(),
          "the start has as many entries as the velocities");
  require(c.allFinite() && R.allFinite() && (R.array() >= 0).all() && (mu.array() >= 0).all(),
          "velocities are finite, compliance and friction are not negative");
  if (mu.size() == 0 || c.size() == 2 * mu.size()) return;
  for (Index i = 0; i < mu.size(); ++i)
    require(R[3 * i + 1] == R[3 * i + 2], "the compliance is the same in both tangents");
}

// D^-1/2 P_K~(D^1/2 x) with mu~ = (D_T / D_N)^1/2 mu, for a diagonal D.
template <int Dim>
Eigen::Matrix<double, Dim, 1> project_in_metric(const Eigen::Matrix<double, Dim, 1>& x,
                                                const Eigen::Matrix<double, Dim, 1>& D, double mu) {
  const Eigen::Matrix<double, Dim, 1> root = D.cwiseSqrt();
  return project_on_cone(root.cwiseProduct(x), mu * root[1] / root[0]).cwiseQuotient(root);
}

}  // namespace

InverseResult inverse_dynamics(const Vector& c, const Vector& R, const Vector& mu,
                               const InverseOptions& options) {
  check(c, R, mu, options);
  InverseResult result;
  if (mu.size() == 0) {
    result.converged = true;
    return result;
  }
  const bool corrects = options.model == ContactModel::ncp;
  const int dimension = static_cast<int>(c.size() / mu.size());
  // The contacts by themselves: what is solved is the problem with R for W.
  const ContactProblem problem(dimension, mu, LocalForm{SparseMatrix(R.asDiagonal()), c});
  result.r = options.start.size() > 0 ? options.start : Vector::Zero(c.size());
  const Vector D = R.array() + options.rho;
  while (true) {
    result.u = R.cwiseProduct(result.r) + c;
    result.residuals = cone_residuals(options.model, problem, result.r, result.u);
    result.converged = result.residuals.max() <= options.tolerance;
    if (result.converged || result.iterations == options.max_iterations) return result;
    ++result.iterations;
    Vector shifted = c - options.rho * result.r;
    if (corrects) shifted += corrections(problem, result.u);
    with_dimension(dimension, [&](auto dim) {
      for (Index i = 0; i < mu.size(); ++i) {
        const Eigen::Matrix<double, dim(), 1> D_i = D.segment<dim()>(dim() * i);
        const Eigen::Matrix<double, dim(), 1> target =
            -shifted.segment<dim()>(dim() * i).cwiseQuotient(D_i);
        result.r.segment<dim()>(dim() * i) = project_in_metric<dim()>(target, D_i, mu[i]);
      }
    });
  }
}

}  // namespace frictionbench
