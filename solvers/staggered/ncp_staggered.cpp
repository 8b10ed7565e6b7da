#include <algorithm>

#include "frictionbench/solvers/staggered/convex_sequence.hpp"

namespace frictionbench::solvers {

namespace {

/// Staggered projections for the NCP: [LeLidec24] Alg. 7; Kaufman, Sueda, James, Pai, ACM Trans.
/// Graph. 27 (2008).
///
///     r_N <- argmin r_N.W_NN r_N / 2 + r_N.(q_N + W_NT r_T)   over   r_N >= 0
///     r_T <- argmin r_T.W_TT r_T / 2 + r_T.(q_T + W_TN r_N)   over   ||r_T,i|| <= mu_i r_N,i
///
/// Line 2 of [LeLidec24] Alg. 7 has q_T where it must be q_N. Both problems are solved inexactly,
/// see InexactMinimization; [LeLidec24] solves them by ADMM. Nothing guarantees that this
/// converges.
///
/// Each problem is that of W and q with the other part of r held at `fixed` by the projection, so
/// that the gradient contains the coupling.
void run(const ConvexSequence& settings, Solve& solve) {
  solve.use(settings.scaling);
  const auto velocity = contact_velocity(solve);
  const int dimension = solve.problem().dimension();
  InexactMinimization normals(settings.inner, TrialSteps(solve.work())), tangents = normals;
  convex_sequence(solve, [&](int left, Vector& r, Vector& u) {
    Vector fixed = r;
    const auto project_normals = [&](Vector& x) {
      for (Index k = 0; k < x.size(); ++k)
        x[k] = k % dimension == 0 ? std::max(0.0, x[k]) : fixed[k];
    };
    const auto project_tangents = [&](Vector& x) {
      with_dimension(dimension, [&](auto dim) {
        for (Index i = 0; i < solve.contacts(); ++i) {
          auto x_i = x.segment<dim()>(dim() * i);
          x_i[0] = fixed[dim() * i];
          auto x_T = tangent_of(x_i);
          project_on_disc(x_T, solve.mu(i) * x_i[0]);
        }
      });
    };
    int taken = normals.run({velocity, project_normals}, left, r);
    fixed = r;
    taken += tangents.run({velocity, project_tangents}, left, r);
    u = tangents.gradient();
    return taken;
  });
}

}  // namespace

RegisteredSolver ncp_staggered() {
  return solver_entry(
      {.name = "ncp-staggered",
       .model = ContactModel::ncp,
       .summary = "staggered projections: normal and friction impulses in alternation",
       .sources = {"[LeLidec24] Alg. 7",
                   "Kaufman, Sueda, James, Pai, ACM Trans. Graph. 27 (2008)"}},
      run);
}

}  // namespace frictionbench::solvers
