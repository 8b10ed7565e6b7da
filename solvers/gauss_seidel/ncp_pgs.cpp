#include "frictionbench/solvers/gauss_seidel/ncp_pgs.hpp"

#include "frictionbench/math/friction_cone.hpp"
#include "frictionbench/solvers/gauss_seidel/projected_gauss_seidel.hpp"
#include "frictionbench/solvers/gauss_seidel/separable_step.hpp"

namespace frictionbench::solvers {

void NcpPgs::Settings::describe(SettingFields& fields) {
  fields.add("relaxation", relaxation, open_interval(0, 2),
             "relaxation factor omega of both steps; 1 is plain Gauss-Seidel, and the paper's",
             "measured, see ncp_pgs.hpp");
  fields.add(
      "tangent_divisor", tangent_divisor,
      {{"largest_eigenvalue", TangentDivisor::largest_eigenvalue},
       {"smallest_entry", TangentDivisor::smallest_entry}},
      "what divides the tangent step: the largest eigenvalue of W_TT, or as in the paper the "
      "smaller of its two diagonal entries",
      "smallest_entry: [LeLidec24] Alg. 6; largest_eigenvalue: measured, see ncp_pgs.hpp");
  sweeps.describe(fields);
}

SolverInfo NcpPgs::info() {
  SolverInfo info;
  info.name = "ncp-pgs";
  info.summary = "over-relaxed projected Gauss-Seidel on the exact friction cone";
  info.model = ContactModel::ncp;
  info.sources = {"Le Lidec et al., Contact Models in Robotics (L), Alg. 6",
                  "Carpentier, Le Lidec, Montaut, RSS 2024 (S), section V"};
  return info;
}

Result NcpPgs::run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
                   Observer& observer) const {
  const double omega = settings_.relaxation;
  const TangentDivisor divisor = settings_.tangent_divisor;
  return with_dimension(problem.dimension(), [&](auto dim) {
    constexpr int Dim = dim();
    const auto update = [omega, divisor](const BlockRows<Dim>& rows, const Vector& q, double mu,
                                         Index i, Vector& r) {
      separable_step(rows, q, mu, omega, divisor, i, r,
                     [](auto& r_T, double limit) { project_on_disc(r_T, limit); });
    };
    return projected_gauss_seidel<Dim>(ContactModel::ncp, problem, limits, guess.r, observer,
                                       settings_.sweeps, update);
  });
}

}  // namespace frictionbench::solvers
