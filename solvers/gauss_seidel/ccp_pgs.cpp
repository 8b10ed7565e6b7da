#include "frictionbench/solvers/gauss_seidel/block_alone.hpp"
#include "frictionbench/solvers/gauss_seidel/gauss_seidel.hpp"

namespace frictionbench::solvers {

namespace {

/// Projected Gauss-Seidel for the CCP of Anitescu and Tasora: [LeLidec24] Alg. 2.
///
/// Contact by contact, with u_i = (W r + q)_i at the newest impulses:
///
///     r_i <- P_K(r_i - omega d / trace(W_ii) u_i)        d = 3, or 2 for a 2D problem
///
/// What Alg. 2 does not cover:
/// 1. A frictionless contact takes omega / W_NN for the step. With the mean of the diagonal it would cycle
///    where W_NN is more than twice that.
/// 2. In problems with blocks of other sets, whose rows mix units, every block takes omega / D, D the largest
///    eigenvalue of the symmetric part of W_ii, and joints the step to their exact solution.
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
    if constexpr (requires { W.set(i); }) {
      if (W.set(i).is_whole_space())
        r_i += settings.relaxation * (solve_alone(W, i, r) - r_i);
      else if (W.stiffness(i) > 0)
        r_i = W.project(i, r_i - settings.relaxation / W.stiffness(i) * W.velocity(i, r));
    } else if (W.mu(i) == 0) {
      r_i = W.project(i, r_i - settings.relaxation / W.W(i)(0, 0) * W.velocity(i, r));
    } else {
      const double factor = settings.relaxation * static_cast<double>(r_i.size());
      r_i = W.project(i, r_i - factor / W.W(i).trace() * W.velocity(i, r));
    }
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
