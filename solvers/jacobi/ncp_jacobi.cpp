#include "frictionbench/solvers/jacobi/ncp_jacobi.hpp"

#include <algorithm>

#include "frictionbench/math/friction_cone.hpp"

namespace frictionbench::solvers {

SolverInfo NcpJacobi::info() {
  SolverInfo info;
  info.name = "ncp-jacobi";
  info.summary = "projected Jacobi on the exact friction cone";
  info.model = ContactModel::ncp;
  info.sources = {"Le Lidec et al., Contact Models in Robotics (L), Alg. 6, stepped at once",
                  "Chrono, ChSolverJacobi"};
  return info;
}

Result NcpJacobi::run(const ContactProblem& problem, const Limits& limits,
                      const InitialGuess& guess, Observer& observer) const {
  return with_dimension(problem.dimension(), [&](auto dim) {
    const auto update = [](const auto& u_i, double step, double mu, auto& r_i) {
      r_i -= step * u_i;
      r_i[0] = std::max(0.0, r_i[0]);
      auto r_T = tangent_of(r_i);
      project_on_disc(r_T, mu * r_i[0]);
    };
    return projected_jacobi<dim()>(ContactModel::ncp, problem, limits, guess.r, observer, settings_,
                                   update);
  });
}

}  // namespace frictionbench::solvers
