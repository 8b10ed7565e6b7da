#include "frictionbench/solvers/nonsmooth_newton/ncp_newton.hpp"

#include "frictionbench/solver/stopping.hpp"
#include "frictionbench/solvers/nonsmooth_newton/progress.hpp"

namespace frictionbench::solvers {

namespace {

template <int Dim>
Result iterate(const NonsmoothNewtonSettings& settings, const ContactProblem& problem,
               const Limits& limits, const InitialGuess& guess, Observer& observer) {
  Result result;
  NonsmoothNewton<Dim> newton(settings, problem, result.work);
  Progress progress(problem, limits, settings.patience, result);
  newton.start(guess.r);
  observer.setup_finished();

  for (result.iterations = 1; result.iterations <= limits.max_iterations; ++result.iterations) {
    if (result.iterations > 1) newton.advance();
    const Vector r = newton.impulse();
    const bool ends = progress.ends(r, newton.velocity(r));
    observer.iterated({result.iterations, progress.residuals()});
    result.claimed["rescues"] = newton.rescues();
    if (ends) return result;
  }
  stop_at_iteration_limit(limits, result);
  return result;
}

}  // namespace

SolverInfo NcpNewton::info() {
  SolverInfo info;
  info.name = "ncp-newton";
  info.summary = "nonsmooth Newton on Alart and Curnier's equation or another, damped";
  info.model = ContactModel::ncp;
  info.sources = {"Alart, Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991)",
                  "Acary, Bremond, Huber, INRIA RR-9118 (2017), NSN-AC, NSN-NM, NSN-FB"};
  info.zero_diagonal = true;
  return info;
}

Result NcpNewton::run(const ContactProblem& problem, const Limits& limits,
                      const InitialGuess& guess, Observer& observer) const {
  return solve_scaled(settings_.scaling, info().model, problem, limits, guess,
                      [&](const ContactProblem& scaled, const InitialGuess& start) {
                        return with_dimension(scaled.dimension(), [&](auto dim) {
                          return iterate<dim()>(settings_, scaled, limits, start, observer);
                        });
                      });
}

}  // namespace frictionbench::solvers
