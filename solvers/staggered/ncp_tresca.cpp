#include <algorithm>

#include "frictionbench/solvers/staggered/convex_sequence.hpp"

namespace frictionbench::solvers {

namespace {

// { r_N >= 0, ||r_T,i|| <= threshold_i }
void project_on_cylinders(const Vector& threshold, int dimension, Vector& r) {
  with_dimension(dimension, [&](auto dim) {
    for (Index i = 0; i < threshold.size(); ++i) {
      auto r_i = r.segment<dim()>(dim() * i);
      r_i[0] = std::max(0.0, r_i[0]);
      auto r_T = tangent_of(r_i);
      project_on_disc(r_T, threshold[i]);
    }
  });
}

/// Fixed point on the friction threshold for the NCP: Haslinger (Math. Methods Appl. Sci. 5, 1983);
/// TFP in Siconos (Acary, Bremond, Huber, INRIA RR-9118).
///
///     r       <- argmin r.W r / 2 + r.q  over  r_N >= 0,  ||r_T,i|| <= theta_i  (Tresca friction)
///     theta_i <- mu_i r_N,i
///
/// The Tresca problems are solved inexactly, see InexactMinimization; Siconos solves them by
/// Gauss-Seidel.
void run(const ConvexSequence& settings, Solve& solve) {
  solve.use(settings.scaling);
  const auto velocity = contact_velocity(solve);
  const int dimension = solve.problem().dimension();
  InexactMinimization inner(settings.inner, solve);
  convex_sequence(solve, [&](int left, Vector& r, Vector& u) {
    const Vector threshold =
        solve.problem().mu().cwiseProduct(r(Eigen::seq(0, Eigen::last, dimension)).cwiseMax(0));
    const auto project = [&](Vector& x) { project_on_cylinders(threshold, dimension, x); };
    const int taken = inner.run({velocity, project}, left, r);
    u = inner.gradient();
    return taken;
  });
}

}  // namespace

RegisteredSolver ncp_tresca() {
  return solver_entry(
      {.name = "ncp-tresca",
       .model = ContactModel::ncp,
       .summary = "fixed point on the friction threshold; each step solves a Tresca problem",
       .sources = {"Haslinger, Math. Methods Appl. Sci. 5 (1983)",
                   "Acary, Bremond, Huber, INRIA RR-9118 (2017), TFP"}},
      run);
}

}  // namespace frictionbench::solvers
