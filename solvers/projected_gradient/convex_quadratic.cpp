#include "frictionbench/solvers/projected_gradient/convex_quadratic.hpp"

#include "frictionbench/math/friction_cone.hpp"

namespace frictionbench::solvers {

std::function<Vector(const Vector&)> contact_velocity(const ContactProblem& problem,
                                                      const DelassusOperator& W) {
  return with_dimension(
      problem.dimension(), [&W](auto dim) -> std::function<Vector(const Vector&)> {
        return [&W, rows = W.block_rows<dim()>()](const Vector& x) { return W.velocity(rows, x); };
      });
}

ConvexQuadratic cone_problem(const ContactProblem& problem, const DelassusOperator& W) {
  return {contact_velocity(problem, W), [&problem](Vector& x) {
            with_dimension(problem.dimension(), [&](auto dim) {
              for (Index i = 0; i < problem.contacts(); ++i) {
                auto x_i = x.segment<dim()>(dim() * i);
                x_i = project_on_cone(x_i, problem.mu()[i]);
              }
            });
          }};
}

}  // namespace frictionbench::solvers
