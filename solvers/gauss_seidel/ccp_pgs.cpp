#include "frictionbench/solvers/gauss_seidel/gauss_seidel.hpp"
#include "frictionbench/solvers/gauss_seidel/step_length.hpp"

namespace frictionbench::solvers {

namespace {

/// Projected Gauss-Seidel for the CCP of Anitescu and Tasora: [LeLidec24] Alg. 2.
///
/// Contact by contact, with u_i = (W r + q)_i at the newest impulses:
///
///     r_i <- P_K(r_i - omega d / trace(W_ii) u_i)        d = 3 or 2; see step_length()
struct CcpPgs {
  double relaxation = 1;  // omega, in (0, 2); 1 is [LeLidec24] Alg. 2
  SweepSettings sweeps;

  void describe(SettingFields& fields) {
    fields.add("relaxation", relaxation, open_interval(0, 2),
               "relaxation factor omega of the step; 1 is the paper's value", "[LeLidec24] Alg. 2");
    sweeps.describe(fields);
  }
  void adapt(SolverInfo& info) const { sweeps.adapt(info); }
};

void run(const CcpPgs& settings, Solve& solve) {
  const auto step = [&](const auto& W, Index i, const Vector& r, auto& r_i) {
    r_i = W.project(i, r_i - settings.relaxation * step_length(W, i) * W.velocity(i, r));
  };
  gauss_seidel_of_blocks(settings.sweeps, solve, step);
}

}  // namespace

RegisteredSolver ccp_pgs() {
  return solver_entry(
      {.name = "ccp-pgs",
       .model = ContactModel::ccp,
       .summary = "projected Gauss-Seidel on the cone complementarity problem",
       .sources = {"[LeLidec24] Alg. 2", "Anitescu, Tasora, Comput. Optim. Appl. 47 (2010)"},
       .every_set = true,
       .zero_diagonal = false},
      run);
}

}  // namespace frictionbench::solvers
