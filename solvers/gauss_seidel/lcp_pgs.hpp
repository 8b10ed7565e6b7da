/// \file
#pragma once

#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solvers/gauss_seidel/sweeps.hpp"

namespace frictionbench::solvers {

/// Projected Gauss-Seidel for the LCP, a friction pyramid: [LeLidec24] Alg. 1, the default of Bullet, ODE,
/// PhysX and DART.
///
/// Contact by contact, with u_i = (W r + q)_i at the newest impulses, those of the same contact
/// included:
///
///     r_N <- max(0, r_N - omega u_N / W_NN)
///     r_Tk <- clamp(r_Tk - omega u_Tk / W_TkTk, -mu r_N, mu r_N)     k = 1, then 2
///
/// so friction is bounded axis by axis, and depends on the choice of the axes ([LeLidec24] Figs. 6, 9).
/// Stops when the LCP residuals of the final iterate of a sweep are within the tolerances.
///
/// That is the pyramid of four facets, the LCP that verdicts are about. With `facets` other than 4
/// the pyramid is RegularPyramid's, see faceted_pgs(). The solve then ends `inaccurate` where that
/// pyramid's own residuals are within the tolerances, for its answer is another model's; and
/// converged only where the LCP residuals are as well, as with contacts that all stick. In 2D every
/// pyramid is the friction cone, and `facets` is not looked at.
///
/// Deviations from the paper:
/// 1. L steps both tangents at once, u_T being that after the normal update, and divides both by
///    min(W_T1T1, W_T2T2). That overshoots where the two are coupled or of different size, and then
///    cycles. Axis by axis, as the engines do, each step minimises over its impulse. The paper's
///    step is `tangents=together`.
/// 2. A relaxation factor, as in ncp-pgs; 1 is the paper's.
class LcpPgs final : public Solver {
 public:
  enum class Tangents { in_turn, together };

  struct Settings {
    int facets = 4;
    Tangents tangents = Tangents::in_turn;
    double relaxation = 1.0;
    SweepSettings sweeps = {};
    void describe(SettingFields& fields);
  };

  static SolverInfo info();
  explicit LcpPgs(const Settings& settings);

 private:
  Result run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
             Observer& observer) const override;

  Settings settings_;
};

}  // namespace frictionbench::solvers
