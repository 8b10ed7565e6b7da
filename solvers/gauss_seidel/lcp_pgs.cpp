#include "frictionbench/solvers/gauss_seidel/lcp_pgs.hpp"

#include <algorithm>

#include "frictionbench/math/friction_cone.hpp"
#include "frictionbench/solvers/gauss_seidel/faceted_pgs.hpp"
#include "frictionbench/solvers/gauss_seidel/projected_gauss_seidel.hpp"
#include "frictionbench/solvers/gauss_seidel/separable_step.hpp"

namespace frictionbench::solvers {

namespace {

void clamp(double& x, double limit) { x = std::min(std::max(x, -limit), limit); }

// The step of LcpPgs with the tangents in turn.
template <int Dim>
void step_in_turn(const BlockRows<Dim>& rows, const Vector& q, double mu, double omega, Index i,
                  Vector& r) {
  const auto& diagonal = rows.diagonal(i);
  auto r_i = r.segment<Dim>(Dim * i);
  auto u_i = (rows.row_times(i, r) + q.segment<Dim>(Dim * i)).eval();

  if (mu == 0) r_i.template tail<Dim - 1>().setZero();
  for (int a = 0; a < (mu == 0 ? 1 : Dim); ++a) {
    const double old = r_i[a];
    r_i[a] -= omega * u_i[a] / diagonal(a, a);
    if (a == 0)
      r_i[a] = std::max(0.0, r_i[a]);
    else
      clamp(r_i[a], mu * r_i[0]);
    u_i += diagonal.col(a) * (r_i[a] - old);
  }
}

// Of other pyramids than the four-facet one, the answer only comes close to that of the LCP.
SolverInfo info_of(const LcpPgs::Settings& settings) {
  SolverInfo info = LcpPgs::info();
  info.exact = settings.facets == 4;
  return info;
}

}  // namespace

LcpPgs::LcpPgs(const Settings& settings) : Solver(info_of(settings)), settings_(settings) {}

void LcpPgs::Settings::describe(SettingFields& fields) {
  fields.add(
      "facets", facets, at_least(3),
      "facets of the friction pyramid in 3D; other than 4 solves another model than the LCP, "
      "and ends `inaccurate`. An odd number brakes differently in opposite directions",
      "[LeLidec24] section III-A; [YamaneNakamura08] (17)-(26) and Stewart, Trinkle (1996) for any number");
  fields.add("tangents", tangents,
             {{"in_turn", Tangents::in_turn}, {"together", Tangents::together}},
             "whether the two tangent impulses of a contact are stepped one after the other, or at "
             "once as in the paper; facets other than 4 couple the two, and in_turn then minimises "
             "over both",
             "Bullet, ODE; together: [LeLidec24] Alg. 1");
  fields.add("relaxation", relaxation, open_interval(0, 2),
             "relaxation factor omega of both steps; 1 is the paper's", "[LeLidec24] Alg. 1");
  sweeps.describe(fields);
}

SolverInfo LcpPgs::info() {
  SolverInfo info;
  info.name = "lcp-pgs";
  info.summary = "projected Gauss-Seidel on the friction pyramid";
  info.model = ContactModel::lcp;
  info.sources = {"Le Lidec et al., Contact Models in Robotics (L), Alg. 1"};
  return info;
}

Result LcpPgs::run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
                   Observer& observer) const {
  const double omega = settings_.relaxation;
  const bool in_turn = settings_.tangents == Tangents::in_turn;
  if (problem.dimension() == 3 && settings_.facets != 4)
    return faceted_pgs(settings_.facets, in_turn, omega, problem, limits, guess.r, observer,
                       settings_.sweeps);
  return with_dimension(problem.dimension(), [&](auto dim) {
    constexpr int Dim = dim();
    const auto update = [omega, in_turn](const BlockRows<Dim>& rows, const Vector& q, double mu,
                                         Index i, Vector& r) {
      if (in_turn) return step_in_turn(rows, q, mu, omega, i, r);
      separable_step(rows, q, mu, omega, TangentDivisor::smallest_entry, i, r,
                     [](auto& r_T, double limit) {
                       for (auto& r_Tk : r_T) clamp(r_Tk, limit);
                     });
    };
    return projected_gauss_seidel<Dim>(ContactModel::lcp, problem, limits, guess.r, observer,
                                       settings_.sweeps, update);
  });
}

}  // namespace frictionbench::solvers
