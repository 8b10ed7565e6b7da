/// \file
#pragma once

#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solvers/staggered/convex_sequence.hpp"

namespace frictionbench::solvers {

/// Fixed point on the friction threshold for the NCP: Haslinger (Math. Methods Appl. Sci. 5, 1983);
/// TFP in Siconos (Acary, Bremond, Huber, INRIA RR-9118).
///
///     r <- argmin r.W r / 2 + r.q   over   r_N >= 0,  ||r_T,i|| <= theta_i        (Tresca
///     friction) theta_i <- mu_i r_N,i
///
/// The Tresca problems are solved inexactly, see InexactMinimization; Siconos solves them by
/// Gauss-Seidel. An iteration is one of the inner method. Stops when the NCP residuals of an answer
/// of a Tresca problem are within the tolerances.
class NcpTresca final : public Solver {
 public:
  using Settings = ConvexSequenceSettings;

  static SolverInfo info();
  explicit NcpTresca(const Settings& settings) : Solver(info()), settings_(settings) {}

 private:
  Result run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
             Observer& observer) const override;

  Settings settings_;
};

}  // namespace frictionbench::solvers
