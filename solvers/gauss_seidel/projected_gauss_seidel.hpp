/// \file
/// The loop that all projected Gauss-Seidel solvers share: sweep over the contacts, evaluate the
/// residuals of the model on the final iterate of the sweep, stop.
#pragma once

#include "frictionbench/linalg/delassus_operator.hpp"
#include "frictionbench/solver/solver.hpp"
#include "frictionbench/solver/stopping.hpp"
#include "frictionbench/solvers/gauss_seidel/sweeps.hpp"

namespace frictionbench::solvers {

/// Runs sweeps until the model's residuals are within the tolerances, or another test of the solver
/// holds. Residuals are evaluated, and shown to the observer, after every `check_every`-th sweep,
/// after the last, and when time is up.
/// \tparam Dim the problem's dimension.
/// \param update `update(rows, q, mu, i, r)` improves the impulse of contact i in place, with
///        rows = BlockRows<Dim> of W, and mu the friction coefficient of that contact.
/// \param stop `stop(residuals, u, limits, result)` looks at the iterate result.r and its velocity,
///        and does what stop_on_residuals does.
template <int Dim, typename Update, typename Stop>
Result projected_gauss_seidel(ContactModel model, const ContactProblem& problem,
                              const Limits& limits, const Vector& start, Observer& observer,
                              const SweepSettings& sweeps, const Update& update, const Stop& stop) {
  Result result;
  result.r = start;
  const DelassusOperator W(problem, result.work);
  const BlockRows<Dim> rows = W.block_rows<Dim>();
  const Vector& q = problem.local().q;
  SweepOrder order(sweeps, rows.contacts());
  observer.setup_finished();

  for (result.iterations = 1; result.iterations <= limits.max_iterations; ++result.iterations) {
    for (const Index i : order.next(result.r)) update(rows, q, problem.mu()[i], i, result.r);
    ++result.work.sweeps;
    if (result.iterations % sweeps.check_every != 0 && result.iterations != limits.max_iterations &&
        !limits.time_is_up())
      continue;

    const Vector u = W.velocity(rows, result.r);
    const ConeResiduals residuals = cone_residuals(model, problem, result.r, u);
    observer.iterated({result.iterations, residuals});
    if (stop(residuals, u, limits, result)) return result;
  }
  stop_at_iteration_limit(limits, result);
  return result;
}

/// The same with the model's residuals as the only test.
template <int Dim, typename Update>
Result projected_gauss_seidel(ContactModel model, const ContactProblem& problem,
                              const Limits& limits, const Vector& start, Observer& observer,
                              const SweepSettings& sweeps, const Update& update) {
  const auto stop = [](const ConeResiduals& residuals, const Vector&, const Limits& bounds,
                       Result& result) { return stop_on_residuals(residuals, bounds, result); };
  return projected_gauss_seidel<Dim>(model, problem, limits, start, observer, sweeps, update, stop);
}

}  // namespace frictionbench::solvers
