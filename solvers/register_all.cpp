#include "frictionbench/solvers/register_all.hpp"

namespace frictionbench::solvers {

Registry all_solvers() {
  Registry registry;
  register_gauss_seidel(registry);
  register_jacobi(registry);
  register_raisim(registry);
  register_projected_gradient(registry);
  register_admm(registry);
  register_staggered(registry);
  register_interior_point(registry);
  register_nonsmooth_newton(registry);
  register_compliant_newton(registry);
  register_hybrid(registry);
  return registry;
}

}  // namespace frictionbench::solvers
