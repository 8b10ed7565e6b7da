/// \file
/// The loop that the projected gradient solvers of the CCP share.
#pragma once

#include <limits>

#include "frictionbench/solver/solver.hpp"
#include "frictionbench/solver/stopping.hpp"

namespace frictionbench::solvers {

/// Steps until the CCP residuals of an iterate are within the tolerances. Neither method lowers
/// them in every step, so where it ends without that, the answer is the best iterate, by the
/// largest residual, as Mazhar et al. and Heyn et al. have it.
/// \param method has step(), x(), and gradient() = W x + q.
/// \param result where the method's work counters are; filled in.
template <typename Method>
void projected_gradient(Method& method, const ContactProblem& problem, const Limits& limits,
                        Observer& observer, Result& result) {
  observer.setup_finished();
  double best = std::numeric_limits<double>::infinity();
  for (result.iterations = 1; result.iterations <= limits.max_iterations; ++result.iterations) {
    method.step();
    const ConeResiduals residuals =
        cone_residuals(ContactModel::ccp, problem, method.x(), method.gradient());
    observer.iterated({result.iterations, residuals});
    if (residuals.max() < best || result.r.size() == 0) {
      best = residuals.max();
      result.r = method.x();
    }
    if (residuals.within(limits.tolerances)) result.r = method.x();
    if (stop_on_residuals(residuals, limits, result)) return;
  }
  stop_at_iteration_limit(limits, result);
}

}  // namespace frictionbench::solvers
