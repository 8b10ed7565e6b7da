#include "frictionbench/solvers/jacobi/ccp_jacobi.hpp"

#include "frictionbench/math/friction_cone.hpp"

namespace frictionbench::solvers {

SolverInfo CcpJacobi::info() {
  SolverInfo info;
  info.name = "ccp-jacobi";
  info.summary =
      "projected Jacobi on the cone complementarity problem, damped so as not to diverge";
  info.model = ContactModel::ccp;
  info.sources = {"Tasora, Anitescu, Comput. Methods Appl. Mech. Eng. 200 (2011)",
                  "Chrono, ChSolverJacobi"};
  return info;
}

Result CcpJacobi::run(const ContactProblem& problem, const Limits& limits,
                      const InitialGuess& guess, Observer& observer) const {
  return with_dimension(problem.dimension(), [&](auto dim) {
    const auto update = [](const auto& u_i, double step, double mu, auto& r_i) {
      r_i = project_on_cone((r_i - step * u_i).eval(), mu);
    };
    return projected_jacobi<dim()>(ContactModel::ccp, problem, limits, guess.r, observer, settings_,
                                   update);
  });
}

}  // namespace frictionbench::solvers
