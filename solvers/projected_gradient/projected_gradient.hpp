/// \file
/// The loop that the projected gradient solvers of the CCP share.
#pragma once

#include <limits>

#include "frictionbench/solver/scaled_solve.hpp"
#include "frictionbench/solver/stopping.hpp"
#include "frictionbench/solvers/projected_gradient/convex_quadratic.hpp"

namespace frictionbench::solvers {

/// Steps until the CCP residuals of an iterate are within the tolerances. Neither method lowers
/// them in every step, so where it ends without that, the answer is the best iterate, by the
/// largest residual, as Mazhar et al. and Heyn et al. have it.
/// \param make `make(cones, start, work)` returns a method for the problem as scaled, from impulse
///        start, that counts in work; it has step(), x(), and gradient() = W x + q.
template <typename MakeMethod>
Result projected_gradient(Scaling scaling, const ContactProblem& problem, const Limits& limits,
                          const InitialGuess& guess, Observer& observer, const MakeMethod& make) {
  const auto solve = [&](const ContactProblem& scaled, const InitialGuess& start) {
    Result result;
    const DelassusOperator W(scaled, result.work);
    const ConvexQuadratic cones = cone_problem(scaled, W);
    auto method = make(cones, start.r, result.work);
    observer.setup_finished();
    double best = std::numeric_limits<double>::infinity();
    for (result.iterations = 1; result.iterations <= limits.max_iterations; ++result.iterations) {
      method.step();
      const ConeResiduals residuals =
          cone_residuals(ContactModel::ccp, scaled, method.x(), method.gradient());
      observer.iterated({result.iterations, residuals});
      if (residuals.max() < best || result.r.size() == 0) {
        best = residuals.max();
        result.r = method.x();
      }
      if (residuals.within(limits.tolerances)) result.r = method.x();
      if (stop_on_residuals(residuals, limits, result)) return result;
    }
    stop_at_iteration_limit(limits, result);
    return result;
  };
  return solve_scaled(scaling, ContactModel::ccp, problem, limits, guess, solve);
}

}  // namespace frictionbench::solvers
