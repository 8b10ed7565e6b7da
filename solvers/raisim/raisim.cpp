#include <algorithm>
#include <utility>

#include "frictionbench/solvers/gauss_seidel/gauss_seidel.hpp"
#include "frictionbench/solvers/raisim/raisim_contact.hpp"

namespace frictionbench::solvers {

namespace {

/// RaiSim's contact solver (Hwangbo, Lee, Hutter, IEEE RA-L 3, 2018): [LeLidec24] section III-C,
/// Alg. 5.
///
/// Contact by contact, with r* the answer of raisim_impulse at the newest impulses of the others:
///
///     r_i <- (1 - alpha) r_i + alpha r*
///     alpha <- gamma alpha + (1 - gamma) alpha_min       after a sweep
///
/// It converges to an impulse that satisfies Signorini's condition and the cone, but not maximum
/// dissipation at sliding contacts ([LeLidec24] (24)); so it does not solve the NCP unless W_NT = 0
/// where contacts slide.
///
/// Ends `converged` if the NCP residuals are within the tolerance, the test of [LeLidec24], and
/// `inaccurate` if r* no longer differs from r_i at any contact: that is RaiSim's own answer.
/// Reports the largest ||r* - r_i|| of the last sweep as `fixed_point`.
///
/// Deviations from [LeLidec24] Alg. 5:
/// 1. The paper prints the update of alpha inside the loop over the contacts, where its pace would
///    depend on their number. Here it follows a sweep, as in the authors' code (ContactBench).
/// 2. The second test. [LeLidec24] stops at the iteration limit or when iterates stall, and accepts
///    both as results.
struct Raisim {
  double alpha = 1;
  double alpha_min = 0.1;
  double gamma = 0.99;
  double angle_tolerance = 1e-14;        // rad
  double fixed_point_tolerance = 1e-12;  // fraction of ||r||_inf

  void describe(SettingFields& fields) {
    const Range share{0, 1, false, true};
    fields.add("alpha", alpha, share, "initial relaxation factor", "ContactBench, RaisimSolver");
    fields.add("alpha_min", alpha_min, share, "value towards which the relaxation factor decays",
               "[LeLidec24] Alg. 5; ContactBench, RaisimSolver");
    fields.add("gamma", gamma, Range{0, 1},
               "decay per sweep: alpha - alpha_min is multiplied by gamma",
               "[LeLidec24] Alg. 5; ContactBench, RaisimSolver");
    fields.add("angle_tolerance", angle_tolerance, positive(),
               "the bisection for the direction of a sliding impulse stops at this angle, rad",
               "tighter than any tolerance in use; ContactBench: 1e-6 on the impulse");
    fields.add(
        "fixed_point_tolerance", fixed_point_tolerance, at_least(0),
        "stop when no impulse changes by more than this fraction of ||r||_inf; 0 disables the "
        "test",
        "just above rounding, so that the NCP test normally stops first, and above "
        "angle_tolerance, which limits how small corrections get");
  }
};

void run(const Raisim& settings, Solve& solve) {
  double alpha = settings.alpha;
  double largest = 0;  // ||r* - r_i|| of the sweep so far
  const auto update = [&](const auto& W, Index i, const Vector& r, auto& r_i) {
    const auto correction =
        (raisim_impulse(W.W(i), W.free_velocity(i, r), W.mu(i), settings.angle_tolerance) - r_i)
            .eval();
    largest = std::max(largest, correction.norm());
    r_i += alpha * correction;
  };
  gauss_seidel({}, solve, update, [&](const Vector& r, const Vector&) {
    alpha = settings.gamma * alpha + (1 - settings.gamma) * settings.alpha_min;
    const double correction = std::exchange(largest, 0);
    solve.report("fixed_point", correction);
    if (!(correction <= settings.fixed_point_tolerance * r.lpNorm<Eigen::Infinity>())) return false;
    solve.end_inaccurate(StopReason::fixed_point, r,
                         "reached RaiSim's fixed point, which does not solve the NCP");
    return true;
  });
}

}  // namespace

RegisteredSolver raisim() {
  return solver_entry(
      {.name = "raisim",
       .model = ContactModel::ncp,
       .summary =
           "RaiSim's per-contact bisection: Signorini's condition holds, maximum dissipation does "
           "not",
       .sources = {"[LeLidec24] section III-C, Alg. 5", "Hwangbo, Lee, Hutter, IEEE RA-L 3 (2018)"},
       .exact = false,
       .zero_diagonal = false},
      run);
}

}  // namespace frictionbench::solvers
