#include "frictionbench/solvers/nonsmooth_newton/ncp_prox.hpp"

#include <algorithm>
#include <cmath>

#include "frictionbench/solver/stopping.hpp"
#include "frictionbench/solvers/nonsmooth_newton/progress.hpp"

namespace frictionbench::solvers {

namespace {

// Below it W + alpha I is W to rounding, in problems of unit size.
constexpr double least_alpha = 1e-14;

template <int Dim>
Result iterate(const NcpProx::Settings& settings, const ContactProblem& problem,
               const Limits& limits, const InitialGuess& guess, Observer& observer) {
  Result result;
  NonsmoothNewton<Dim> newton(settings.newton, problem, result.work);
  Progress progress(problem, limits, settings.newton.patience, result);
  newton.start(guess.r);
  observer.setup_finished();

  double alpha = 0, target = 0;
  int inner = 0;
  const auto scheduled = [&] { return settings.sigma * std::pow(newton.ncp_error(), settings.nu); };
  const auto pose = [&](double next) {
    alpha = std::max(next, least_alpha);
    target = settings.inner_tolerance * newton.ncp_error();
    inner = 0;
    newton.pose_proximal_step(alpha);
  };
  pose(std::min(scheduled(), settings.alpha_first));

  for (result.iterations = 1; result.iterations <= limits.max_iterations; ++result.iterations) {
    if (result.iterations > 1) newton.advance();
    const Vector r = newton.impulse();
    const bool ends = progress.ends(r, newton.velocity(r));
    const bool solved = newton.error() <= target;
    const bool step_ends = solved || ++inner == settings.inner_iterations;
    if (ends || step_ends || result.iterations == limits.max_iterations) {
      observer.iterated({result.iterations, progress.residuals(), alpha});
      ++result.claimed["outer_iterations"];
      result.claimed["rescues"] = newton.rescues();
    }
    if (ends) return result;
    if (solved)
      pose(std::min(scheduled(), alpha / settings.alpha_shrink));
    else if (step_ends) {
      newton.restart();
      pose(alpha * settings.alpha_growth);
    }
  }
  stop_at_iteration_limit(limits, result);
  return result;
}

}  // namespace

void NcpProx::Settings::describe(SettingFields& fields) {
  newton.describe(fields);
  fields.add("sigma", sigma, positive(),
             "alpha = sigma e^nu after a step, e = ||F|| / sqrt(n_c) of the NCP",
             "ours, of 0.01 to 5 on real files, about as good; Siconos: 5");
  fields.add("nu", nu, positive(), "see sigma", "Siconos, fc3d_proximal.c: 1");
  fields.add("alpha_first", alpha_first, positive(),
             "largest alpha of the first step, beside W_ii of mean 1", "ours");
  fields.add("alpha_shrink", alpha_shrink, at_least(1),
             "by which alpha is divided at least after a step whose problem was solved",
             "Siconos, fc3d_proximal.c, strategy of regularisation: 10");
  fields.add("alpha_growth", alpha_growth, above(1),
             "by which alpha is multiplied where the problem of a step was not solved",
             "Siconos, fc3d_proximal.c: 10");
  fields.add("inner_tolerance", inner_tolerance, open_interval(0, 1),
             "the problem of a step is solved when ||F|| is below this share of that of the NCP "
             "where the step began",
             "ours, of 0.01 to 0.5 on real files, about as good; Siconos: 0.1");
  fields.add("inner_iterations", inner_iterations, at_least(1),
             "of Newton's method for a step, at most",
             "ours, of 10 to 50 on real files, about as good");
}

SolverInfo NcpProx::info() {
  SolverInfo info;
  info.name = "ncp-prox";
  info.summary = "proximal point method, nonsmooth Newton inside";
  info.model = ContactModel::ncp;
  info.sources = {"Acary, Bremond, Huber, INRIA RR-9118 (2017), PPA-NSN",
                  "Siconos, fc3d_proximal.c"};
  info.zero_diagonal = true;
  return info;
}

Result NcpProx::run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
                    Observer& observer) const {
  return solve_scaled(settings_.newton.scaling, info().model, problem, limits, guess,
                      [&](const ContactProblem& scaled, const InitialGuess& start) {
                        return with_dimension(scaled.dimension(), [&](auto dim) {
                          return iterate<dim()>(settings_, scaled, limits, start, observer);
                        });
                      });
}

}  // namespace frictionbench::solvers
