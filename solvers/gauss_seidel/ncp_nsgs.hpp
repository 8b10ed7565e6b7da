/// \file
#pragma once

#include "frictionbench/solver/registry.hpp"
#include "gauss_seidel/sweeps.hpp"

namespace frictionbench::solvers {

/// Nonsmooth Gauss-Seidel for the NCP: Jourdan, Alart and Jean's block relaxation, which Siconos
/// and LMGC90 use.
///
/// Contact by contact, the one-contact problem is solved exactly at the newest impulses:
///
///     K_mu ∋ r_i  ⟂  û_i ∈ K_mu^*,     u_i = W_ii r_i + (q_i + sum_{j != i} W_ij r_j)
///
/// Stops when the NCP residuals of the final iterate of a sweep are within the tolerances.
///
/// Deviation from Siconos: the local solution is exact (see solve_one_contact), where Siconos
/// iterates with a nonsmooth Newton method to a local tolerance.
class NcpNsgs final : public Solver {
 public:
  struct Settings {
    SweepSettings sweeps = {};
    void describe(SettingFields& fields);
  };

  static SolverInfo info();
  explicit NcpNsgs(const Settings& settings) : Solver(info()), settings_(settings) {}

 private:
  Result run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
             Observer& observer) const override;

  Settings settings_;
};

}  // namespace frictionbench::solvers
