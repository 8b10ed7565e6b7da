/// \file
#pragma once

#include "frictionbench/solver/registry.hpp"

namespace frictionbench::solvers {

/// RaiSim's contact solver (Hwangbo, Lee, Hutter, IEEE RA-L 3, 2018): [LeLidec24] section III-C, Alg. 5.
///
/// Contact by contact, with r* the answer of raisim_impulse at the newest impulses of the others:
///
///     r_i <- (1 - alpha) r_i + alpha r*
///     alpha <- gamma alpha + (1 - gamma) alpha_min       after a sweep
///
/// What it converges to keeps Signorini's condition and the cone, but not maximum dissipation at
/// sliding contacts ([LeLidec24] (24)), so it is no solution of the NCP unless W_NT = 0 where contacts slide.
///
/// Converged: the NCP residuals are within the tolerances, the test that L chose. Inaccurate: no
/// contact's r* differs from r_i any more, and they are not; that is RaiSim's own answer.
/// The claim `fixed_point` is the largest ||r* - r_i|| of the last sweep.
///
/// Deviations from [LeLidec24] Alg. 5:
/// 1. It prints the update of alpha inside the loop over the contacts, where its pace would depend
///    on their number. Here it is after a sweep, as in the authors' code (ContactBench).
/// 2. The second test. L stops at the iteration limit, or when iterates stall, and calls both a
///    result.
class Raisim final : public Solver {
 public:
  struct Settings {
    double alpha = 1.0;
    double alpha_min = 0.1;
    double gamma = 0.99;
    double angle_tolerance = 1e-14;
    double fixed_point_tolerance = 1e-12;
    void describe(SettingFields& fields);
  };

  static SolverInfo info();
  explicit Raisim(const Settings& settings) : Solver(info()), settings_(settings) {}

 private:
  Result run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
             Observer& observer) const override;

  Settings settings_;
};

}  // namespace frictionbench::solvers
