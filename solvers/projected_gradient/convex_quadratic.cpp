#include "projected_gradient/convex_quadratic.hpp"

#include "frictionbench/math/friction_cone.hpp"

namespace frictionbench::solvers {

ConvexQuadratic cone_problem(const ContactProblem& problem, const DelassusOperator& W) {
  return {[&W](const Vector& x) { return W.velocity(x); },
          [&problem](Vector& x) {
            with_dimension(problem.dimension(), [&](auto dim) {
              for (Index i = 0; i < problem.contacts(); ++i) {
                auto x_i = x.segment<dim()>(dim() * i);
                x_i = project_on_cone(x_i, problem.mu()[i]);
              }
            });
          }};
}

}  // namespace frictionbench::solvers
