#include <algorithm>
#include <cmath>

#include "frictionbench/solvers/nonsmooth_newton/nonsmooth_newton.hpp"

namespace frictionbench::solvers {

namespace {

// Below this, W + alpha I equals W up to rounding in problems of unit size.
constexpr double least_alpha = 1e-14;

/// Proximal point method for the NCP, each step by the nonsmooth Newton method (RR-9118, PPA-NSN;
/// in Siconos fc3d_proximal.c):
///
///     r+ solves the NCP of W + alpha I and q - alpha r,     alpha = min(sigma e^nu, ..)
///
/// A step's problem has a regular matrix however singular W is, and its solution is one of the NCP
/// where r+ = r. Iterations are those of Newton's method; `outer_iterations` reports the steps. See
/// NonsmoothNewton for the former; its error e = ||F|| / sqrt(n_c) governs the latter.
///
/// Deviations from Siconos:
///
///  1. The problem is equilibrated contact by contact first, so that alpha compares with W_ii of
///     mean 1; `scaling=none` disables it.
///  2. The residuals of the NCP are evaluated in every Newton iteration, not after each step.
///  3. alpha falls by at least `alpha_shrink` after each successful step. If it followed e alone,
///     both would stay too large for an ill-conditioned W.
///  4. After a step that fails, Gauss-Seidel sweeps of the NCP come first, then the larger alpha.
///  5. Newton's method is that of ncp-newton, with less damping, because alpha has the same effect.
struct NcpProx {
  NonsmoothNewtonSettings newton = {.damping = 1e-3, .attempts = 6};
  double sigma = 0.1;  // alpha = sigma e^nu after a step
  double nu = 1;
  double alpha_first = 1;        // upper bound of the first alpha
  double alpha_shrink = 10;      // minimum divisor of alpha after a successful step
  double alpha_growth = 10;      // factor of alpha after a failed step
  double inner_tolerance = 0.5;  // ||F|| of a solved step relative to ||F|| of the NCP at its start
  int inner_iterations = 20;     // of Newton's method, per step

  void describe(SettingFields& fields) {
    newton.describe(fields);
    fields.add(
        "sigma", sigma, positive(),
        "proximal parameter alpha = sigma e^nu after each step, with e = ||F|| / sqrt(n_c) of "
        "the NCP",
        "measured on real files: 0.01 to 5 perform alike; Siconos: 5");
    fields.add("nu", nu, positive(), "exponent of e in alpha = sigma e^nu",
               "Siconos, fc3d_proximal.c: 1");
    fields.add("alpha_first", alpha_first, positive(),
               "upper bound of alpha in the first step (W_ii has mean 1 after scaling)",
               "chosen relative to W_ii of mean 1");
    fields.add("alpha_shrink", alpha_shrink, at_least(1),
               "alpha falls by at least this factor after a step whose problem was solved",
               "Siconos, fc3d_proximal.c, regularisation strategy: 10");
    fields.add("alpha_growth", alpha_growth, above(1),
               "factor by which alpha grows after a step whose problem was not solved",
               "Siconos, fc3d_proximal.c: 10");
    fields.add(
        "inner_tolerance", inner_tolerance, open_interval(0, 1),
        "the problem of a step counts as solved when ||F|| is below this fraction of ||F|| of "
        "the NCP at the start of the step",
        "measured on real files: 0.01 to 0.5 perform alike; Siconos: 0.1");
    fields.add("inner_iterations", inner_iterations, at_least(1),
               "maximum number of Newton iterations per step",
               "measured on real files: 10 to 50 perform alike");
  }
};

template <typename Rows>
void iterate(const NcpProx& settings, const Rows& rows, Solve& solve) {
  NonsmoothNewton<Rows> newton(settings.newton, solve, rows);
  newton.start(solve.start());

  double alpha = 0, target = 0;
  int inner = 0, outer = 0;
  const auto scheduled = [&] { return settings.sigma * std::pow(newton.ncp_error(), settings.nu); };
  const auto pose = [&](double next) {
    alpha = std::max(next, least_alpha);
    target = settings.inner_tolerance * newton.ncp_error();
    inner = 0;
    newton.pose_proximal_step(alpha);
    solve.report("outer_iterations", ++outer);
  };
  pose(std::min(scheduled(), settings.alpha_first));

  while (solve.begin_iteration()) {
    if (solve.iteration() > 1) newton.advance();
    solve.report("rescues", newton.rescues());
    const Vector r = newton.impulse();
    if (solve.ends(r, newton.velocity(r), alpha)) return;
    if (newton.error() <= target) {
      pose(std::min(scheduled(), alpha / settings.alpha_shrink));
    } else if (++inner == settings.inner_iterations) {
      newton.restart();
      pose(alpha * settings.alpha_growth);
    }
  }
}

void run(const NcpProx& settings, Solve& solve) {
  solve.use(settings.newton.scaling);
  solve.stall_after(settings.newton.patience);
  solve.with_sweeps([&](const auto& rows) { iterate(settings, rows, solve); });
}

}  // namespace

RegisteredSolver ncp_prox() {
  return solver_entry({.name = "ncp-prox",
                       .model = ContactModel::ncp,
                       .summary = "proximal point method with nonsmooth Newton steps",
                       .sources = {"Acary, Bremond, Huber, INRIA RR-9118 (2017), PPA-NSN",
                                   "Siconos, fc3d_proximal.c"},
                       .every_set = true,
                       .bilateral = Bilateral::block},
                      run);
}

}  // namespace frictionbench::solvers
