#include "frictionbench/solvers/gauss_seidel/ncp_nsgs.hpp"

#include "frictionbench/math/friction_cone.hpp"
#include "frictionbench/math/one_contact.hpp"
#include "frictionbench/solvers/gauss_seidel/projected_gauss_seidel.hpp"

namespace frictionbench::solvers {

void NcpNsgs::Settings::describe(SettingFields& fields) {
  fields.add("relaxation", relaxation, open_interval(0, 2),
             "relaxation factor omega of the step to a contact's solution; 1 is plain Gauss-Seidel",
             "measured, see ncp_nsgs.hpp; Siconos: 1, or PSOR");
  sweeps.describe(fields);
}

SolverInfo NcpNsgs::info() {
  SolverInfo info;
  info.name = "ncp-nsgs";
  info.summary = "nonsmooth Gauss-Seidel, every contact solved exactly";
  info.model = ContactModel::ncp;
  info.sources = {"Jourdan, Alart, Jean, Comput. Methods Appl. Mech. Eng. 155 (1998)",
                  "Acary, Bremond, Huber, INRIA RR-9118 (2017), NSGS"};
  return info;
}

Result NcpNsgs::run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
                    Observer& observer) const {
  return with_dimension(problem.dimension(), [&](auto dim) {
    constexpr int Dim = dim();
    const auto update = [omega = settings_.relaxation](const BlockRows<Dim>& rows, const Vector& q,
                                                       double mu, Index i, Vector& r) {
      auto r_i = r.segment<Dim>(Dim * i);
      const auto exact = solve_one_contact<Dim>(rows.diagonal(i), rows.free_velocity(i, r, q), mu);
      const bool stays_closed = !r_i.isZero(0) && !exact.isZero(0);
      r_i += (stays_closed ? omega : 1) * (exact - r_i);
    };
    return projected_gauss_seidel<Dim>(ContactModel::ncp, problem, limits, guess.r, observer,
                                       settings_.sweeps, update);
  });
}

}  // namespace frictionbench::solvers
