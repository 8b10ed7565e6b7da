#include "frictionbench/solvers/gauss_seidel/ccp_pgs.hpp"

#include "frictionbench/math/friction_cone.hpp"
#include "frictionbench/solvers/gauss_seidel/projected_gauss_seidel.hpp"

namespace frictionbench::solvers {

void CcpPgs::Settings::describe(SettingFields& fields) {
  fields.add("relaxation", relaxation, open_interval(0, 2),
             "relaxation factor omega of the step; 1 is the paper's", "[LeLidec24] Alg. 2");
  sweeps.describe(fields);
}

SolverInfo CcpPgs::info() {
  SolverInfo info;
  info.name = "ccp-pgs";
  info.summary = "projected Gauss-Seidel on the cone complementarity problem";
  info.model = ContactModel::ccp;
  info.sources = {"Le Lidec et al., Contact Models in Robotics (L), Alg. 2",
                  "Anitescu, Tasora, Comput. Optim. Appl. 47 (2010)"};
  return info;
}

Result CcpPgs::run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
                   Observer& observer) const {
  const double omega = settings_.relaxation;
  return with_dimension(problem.dimension(), [&](auto dim) {
    constexpr int Dim = dim();
    const auto update = [omega](const BlockRows<Dim>& rows, const Vector& q, double mu, Index i,
                                Vector& r) {
      auto r_i = r.segment<Dim>(Dim * i);
      const auto u_i = (rows.row_times(i, r) + q.segment<Dim>(Dim * i)).eval();
      r_i = project_on_cone((r_i - omega * Dim / rows.diagonal(i).trace() * u_i).eval(), mu);
    };
    return projected_gauss_seidel<Dim>(ContactModel::ccp, problem, limits, guess.r, observer,
                                       settings_.sweeps, update);
  });
}

}  // namespace frictionbench::solvers
