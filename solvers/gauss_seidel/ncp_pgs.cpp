#include "gauss_seidel/ncp_pgs.hpp"

#include "frictionbench/math/friction_cone.hpp"
#include "gauss_seidel/projected_gauss_seidel.hpp"

namespace frictionbench::solvers {

void NcpPgs::Settings::describe(SettingFields& fields) {
  fields.add("relaxation", relaxation, open_interval(0, 2),
             "relaxation factor omega of both steps; 1 is plain Gauss-Seidel", "L Alg. 6");
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
  return with_dimension(problem.dimension(), [&](auto dim) {
    constexpr int Dim = dim();
    const auto update = [omega](const BlockRows<Dim>& rows, const Vector& q, double mu, Index i,
                                Vector& r) {
      const auto& diagonal = rows.diagonal(i);
      auto r_i = r.segment<Dim>(Dim * i);
      auto u_i = (rows.row_times(i, r) + q.segment<Dim>(Dim * i)).eval();

      const double old_normal = r_i[0];
      r_i[0] = std::max(0.0, old_normal - omega * u_i[0] / diagonal(0, 0));

      auto r_T = r_i.template tail<Dim - 1>();
      if (mu == 0) {
        r_T.setZero();
        return;
      }
      u_i += diagonal.col(0) * (r_i[0] - old_normal);
      r_T -= omega / diagonal.diagonal().template tail<Dim - 1>().minCoeff() *
             u_i.template tail<Dim - 1>();
      project_on_disc(r_T, mu * r_i[0]);
    };
    return projected_gauss_seidel<Dim>(ContactModel::ncp, problem, limits, guess.r, observer,
                                       update);
  });
}

}  // namespace frictionbench::solvers
