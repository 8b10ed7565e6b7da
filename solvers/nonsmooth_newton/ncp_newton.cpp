#include "frictionbench/solvers/nonsmooth_newton/ncp_newton.hpp"

namespace frictionbench::solvers {

void ncp_newton_method(const NonsmoothNewtonSettings& settings, Solve& solve) {
  solve.use(settings.scaling);
  solve.stall_after(settings.patience);
  with_dimension(solve.problem().dimension(), [&](auto dim) {
    NonsmoothNewton<dim()> newton(settings, solve);
    newton.start(solve.start());
    while (solve.begin_iteration()) {
      if (solve.iteration() > 1) newton.advance();
      solve.report("rescues", newton.rescues());
      const Vector r = newton.impulse();
      if (solve.ends(r, newton.velocity(r))) return;
    }
  });
}

RegisteredSolver ncp_newton() {
  return solver_entry(
      {.name = "ncp-newton",
       .model = ContactModel::ncp,
       .summary = "damped nonsmooth Newton on the Alart-Curnier, natural map or Fischer-Burmeister "
                  "equations",
       .sources = {"Alart, Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991)",
                   "Acary, Bremond, Huber, INRIA RR-9118 (2017), NSN-AC, NSN-NM, NSN-FB"}},
      ncp_newton_method);
}

}  // namespace frictionbench::solvers
