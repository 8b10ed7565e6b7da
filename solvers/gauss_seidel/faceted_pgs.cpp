#include "frictionbench/solvers/gauss_seidel/faceted_pgs.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "frictionbench/math/friction_pyramid.hpp"
#include "frictionbench/solvers/gauss_seidel/projected_gauss_seidel.hpp"
#include "frictionbench/solvers/gauss_seidel/separable_step.hpp"

namespace frictionbench::solvers {

namespace {

void step(const RegularPyramid& pyramid, bool exact_tangents, double omega,
          const BlockRows<3>& rows, const Vector& q, double mu, Index i, Vector& r) {
  const auto tangent_step = [&](const Eigen::Matrix3d& W_ii, const auto& u_T, auto& r_T,
                                double limit) {
    const Eigen::Matrix2d W_TT = W_ii.bottomRightCorner<2, 2>();
    const Eigen::Matrix2d metric =
        exact_tangents ? Eigen::Matrix2d((W_TT + W_TT.transpose()) / 2)
                       : Eigen::Matrix2d(tangent_divisor<3>(W_ii, TangentDivisor::smallest_entry) *
                                         Eigen::Matrix2d::Identity());
    r_T = pyramid.minimise(metric, omega * u_T, r_T, limit);
  };
  normal_first_step(rows, q, mu, omega, i, r, tangent_step);
}

// As cone_residuals, for this pyramid. \pre r and u are finite.
ConeResiduals polyhedral_residuals(const RegularPyramid& pyramid, const ContactProblem& problem,
                                   const Vector& r, const Vector& u) {
  const ContactUnits& units = problem.units();
  const bool scaled = units.impulse.size() > 0;
  ConeResiduals residuals;
  for (Index i = 0; i < problem.contacts(); ++i) {
    const double mu = problem.mu()[i];
    const double F = scaled ? units.impulse[i] : 1;
    const double U = scaled ? units.velocity[i] : 1;
    const Eigen::Vector3d impulse = r.segment<3>(3 * i);
    Eigen::Vector3d velocity = u.segment<3>(3 * i);
    velocity[0] += pyramid.correction(velocity, mu);
    residuals.primal =
        std::max(residuals.primal, F * (impulse - pyramid.project(impulse, mu)).norm());
    // the distance to the dual, by Moreau
    residuals.dual = std::max(residuals.dual, U * pyramid.project(-velocity, mu).norm());
    residuals.complementarity =
        std::max(residuals.complementarity, F * U * std::abs(impulse.dot(velocity)));
  }
  return residuals;
}

}  // namespace

Result faceted_pgs(int facets, bool exact_tangents, double omega, const ContactProblem& problem,
                   const Limits& limits, const Vector& start, Observer& observer,
                   const SweepSettings& sweeps) {
  const RegularPyramid pyramid(facets);
  const auto update = [&](const BlockRows<3>& rows, const Vector& q, double mu, Index i,
                          Vector& r) { step(pyramid, exact_tangents, omega, rows, q, mu, i, r); };
  const auto stop = [&](const ConeResiduals& lcp, const Vector& u, const Limits& bounds,
                        Result& result) {
    if (stop_on_residuals(lcp, bounds, result)) return true;
    const ConeResiduals own = polyhedral_residuals(pyramid, problem, result.r, u);
    result.claimed["polyhedral_primal"] = own.primal;
    result.claimed["polyhedral_dual"] = own.dual;
    result.claimed["polyhedral_complementarity"] = own.complementarity;
    if (!own.within(bounds.tolerances)) return false;
    result.status = Status::inaccurate;
    result.fired = "polyhedral residuals";
    result.message = "solved for a pyramid of " + std::to_string(facets) +
                     " facets, which is another model than the LCP";
    return true;
  };
  return projected_gauss_seidel<3>(ContactModel::lcp, problem, limits, start, observer, sweeps,
                                   update, stop);
}

}  // namespace frictionbench::solvers
