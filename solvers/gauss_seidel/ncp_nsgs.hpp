/// \file
#pragma once

#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solvers/gauss_seidel/sweeps.hpp"

namespace frictionbench::solvers {

/// Nonsmooth Gauss-Seidel for the NCP: Jourdan, Alart and Jean's block relaxation, which Siconos
/// and LMGC90 use.
///
/// Contact by contact, the one-contact problem is solved exactly at the newest impulses, and the
/// step to its solution r* is relaxed:
///
///     K_mu ∋ r*  ⟂  û_i ∈ K_mu^*,     u_i = W_ii r* + (q_i + sum_{j != i} W_ij r_j)
///     r_i <- r_i + omega (r* - r_i)      omega = 1 for a contact that opens or closes
///
/// Stops when the NCP residuals of the final iterate of a sweep are within the tolerances.
///
/// Deviations from Siconos:
/// 1. The local solution is exact (see solve_one_contact), where Siconos iterates with a nonsmooth
///    Newton method to a local tolerance.
/// 2. omega = 1.3, where Siconos has 1 unless it is asked for PSOR. Every fifth local 3D file of a
///    collection of 805, at 1e-6: 138 of 160 solved, where 1 solves 132, in 0.77 of the time. Since
///    a relaxed step may leave the cone, contacts that open or close take theirs as it is; so a
///    contact that feels no other is solved by one sweep.
class NcpNsgs final : public Solver {
 public:
  struct Settings {
    double relaxation = 1.3;
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
