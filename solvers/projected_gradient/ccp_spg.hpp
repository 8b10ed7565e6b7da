/// \file
#pragma once

#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solver/scaled_solve.hpp"
#include "frictionbench/solvers/projected_gradient/spectral_gradient.hpp"

namespace frictionbench::solvers {

/// Spectral projected gradient for the CCP: Heyn, Anitescu, Tasora, Negrut, Int. J. Numer. Methods
/// Eng. 95 (2013); in Chrono as the Barzilai-Borwein solver, and cited by D. See SpectralGradient
/// for the iteration.
///
/// Stops when the CCP residuals of an iterate are within the tolerances; otherwise the answer is
/// the best iterate. The preconditioner of the source, the mean diagonal entry of a contact, is the
/// equilibration `scaling=contacts`.
class CcpSpg final : public Solver {
 public:
  struct Settings {
    SpectralGradient::Settings search = {};
    Scaling scaling = Scaling::contacts;
    void describe(SettingFields& fields);
  };

  static SolverInfo info();
  explicit CcpSpg(const Settings& settings) : Solver(info()), settings_(settings) {}

 private:
  Result run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
             Observer& observer) const override;

  Settings settings_;
};

}  // namespace frictionbench::solvers
