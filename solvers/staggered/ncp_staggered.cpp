#include "frictionbench/solvers/staggered/ncp_staggered.hpp"

#include <algorithm>

#include "frictionbench/math/friction_cone.hpp"

namespace frictionbench::solvers {

namespace {

// Either problem is that of W and q with half of r held at what it is in `fixed`: the projection
// puts it back, and the gradient of the other half has the coupling in it.

void project_normals(const Vector& fixed, Index dimension, Vector& r) {
  for (Index k = 0; k < r.size(); ++k) r[k] = k % dimension == 0 ? std::max(0.0, r[k]) : fixed[k];
}

void project_tangents(const ContactProblem& problem, const Vector& fixed, Vector& r) {
  with_dimension(problem.dimension(), [&](auto dim) {
    for (Index i = 0; i < problem.contacts(); ++i) {
      auto r_i = r.segment<dim()>(dim() * i);
      r_i[0] = fixed[dim() * i];
      auto r_T = tangent_of(r_i);
      project_on_disc(r_T, problem.mu()[i] * r_i[0]);
    }
  });
}

}  // namespace

SolverInfo NcpStaggered::info() {
  SolverInfo info;
  info.name = "ncp-staggered";
  info.summary = "staggered projections: normal impulses, then friction, in turn";
  info.model = ContactModel::ncp;
  info.sources = {"Le Lidec et al., Contact Models in Robotics (L), Alg. 7",
                  "Kaufman, Sueda, James, Pai, ACM Trans. Graph. 27 (2008)"};
  info.zero_diagonal = true;
  return info;
}

Result NcpStaggered::run(const ContactProblem& problem, const Limits& limits,
                         const InitialGuess& guess, Observer& observer) const {
  const auto pose = [&](const ContactProblem& scaled, const auto& velocity, WorkCounters& work) {
    return [&, normals = InexactMinimization(settings_.inner, work),
            tangents = InexactMinimization(settings_.inner, work)](int left, Vector& r,
                                                                   Vector& u) mutable {
      Vector fixed = r;
      int taken = normals.run(
          {velocity, [&](Vector& x) { project_normals(fixed, scaled.dimension(), x); }}, left, r);
      fixed = r;
      taken +=
          tangents.run({velocity, [&](Vector& x) { project_tangents(scaled, fixed, x); }}, left, r);
      u = tangents.gradient();
      return taken;
    };
  };
  return convex_sequence(settings_.scaling, problem, limits, guess, observer, pose);
}

}  // namespace frictionbench::solvers
