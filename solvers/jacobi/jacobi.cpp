#include <algorithm>
#include <cmath>

#include "frictionbench/math/friction_cone.hpp"
#include "frictionbench/solver/registry.hpp"

namespace frictionbench::solvers {

namespace {

enum class Divisor { row_sum, trace };

/// Projected Jacobi for the CCP, as in Chrono (Tasora, Anitescu, Comput. Methods Appl. Mech. Eng.
/// 200, 2011), and for the NCP: the steps of [LeLidec24] Alg. 6 from one velocity. All contacts are
/// stepped from u = W r + q of the previous iterate, so their order does not matter.
///
///     CCP   r_i <- P_K(r_i - omega / D_i u_i)
///     NCP   r_N <- max(0, r_N - omega / D_i u_N),   r_T <- disc_{mu r_N}(r_T - omega / D_i u_T)
///
/// with D_i = max_a sum_b |W_ab| over the rows a of contact i, and r_N the new one in the second.
///
/// For the CCP and a symmetric positive semi-definite W this cannot diverge: diag(D) - W is
/// diagonally dominant, so it is positive semi-definite, the step is that of a projected gradient
/// method in the metric D, and each lowers r.W r / 2 + r.q by at least (1 / omega - 1 / 2)
/// ||step||_D^2. The NCP with friction is not a minimisation, so nothing is guaranteed for it.
///
/// Deviation from Chrono: it divides by trace(W_ii) / d and leaves the choice of a small enough
/// omega to the user; that is `divisor=trace`.
struct Jacobi {
  double relaxation = 1;  // omega, in (0, 2)
  Divisor divisor = Divisor::row_sum;

  void describe(SettingFields& fields) {
    fields.add("relaxation", relaxation, open_interval(0, 2),
               "relaxation factor omega of the step; with divisor=row_sum every value keeps "
               "ccp-jacobi from diverging",
               "1: the largest step that diag(D) >= W justifies without over-relaxation");
    fields.add("divisor", divisor, {{"row_sum", Divisor::row_sum}, {"trace", Divisor::trace}},
               "divisor of a contact's step; row_sum: largest absolute row sum over the contact's "
               "rows of W; trace: trace(W_ii) / dim, which needs relaxation much smaller than 1 if "
               "contacts are coupled",
               "row_sum: Gershgorin; trace: Chrono, ChSolverPJacobi");
  }
};

// omega / D_i.
Vector step_lengths(const Jacobi& settings, const ContactProblem& problem) {
  const SparseMatrix& W = problem.local().W;
  const Index dim = problem.dimension();
  Vector divisors = Vector::Zero(problem.contacts());
  if (settings.divisor == Divisor::trace) {
    const Vector diagonal = W.diagonal();
    for (Index i = 0; i < problem.contacts(); ++i)
      divisors[i] = diagonal.segment(dim * i, dim).mean();
  } else {
    for (Index row = 0; row < W.rows(); ++row) {
      double sum = 0;
      for (SparseMatrix::InnerIterator entry(W, row); entry; ++entry)
        sum += std::abs(entry.value());
      divisors[row / dim] = std::max(divisors[row / dim], sum);
    }
  }
  return settings.relaxation * divisors.cwiseInverse();
}

// r_i after a step of r_i - step u_i.
template <typename Segment>
Segment projected(ContactModel model, Segment moved, double mu) {
  if (model == ContactModel::ccp) return project_on_cone(moved, mu);
  moved[0] = std::max(0.0, moved[0]);
  auto r_T = tangent_of(moved);
  project_on_disc(r_T, mu * moved[0]);
  return moved;
}

void run(const Jacobi& settings, Solve& solve) {
  const Vector steps = step_lengths(settings, solve.problem());
  Vector r = solve.start(), u = solve.W().velocity(r);
  while (solve.begin_iteration()) {
    solve.W().jacobi_sweep([&](auto dim, Index i) {
      using Segment = Eigen::Matrix<double, dim(), 1>;
      auto r_i = r.segment<dim()>(dim() * i);
      r_i = projected<Segment>(solve.model(), r_i - steps[i] * u.segment<dim()>(dim() * i),
                               solve.mu(i));
    });
    u = solve.W().velocity(r);
    if (solve.ends(r, u)) return;
  }
}

}  // namespace

RegisteredSolver ccp_jacobi() {
  return solver_entry(
      {.name = "ccp-jacobi",
       .model = ContactModel::ccp,
       .summary =
           "projected Jacobi on the cone complementarity problem, with a step that cannot diverge",
       .sources = {"Tasora, Anitescu, Comput. Methods Appl. Mech. Eng. 200 (2011)",
                   "Chrono, ChSolverPJacobi"},
       .zero_diagonal = false},
      run);
}

RegisteredSolver ncp_jacobi() {
  return solver_entry(
      {.name = "ncp-jacobi",
       .model = ContactModel::ncp,
       .summary = "projected Jacobi on the exact friction cone",
       .sources = {"[LeLidec24] Alg. 6, all contacts from one velocity", "Chrono, ChSolverPJacobi"},
       .zero_diagonal = false},
      run);
}

}  // namespace frictionbench::solvers
