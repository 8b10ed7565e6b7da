#include "frictionbench/solvers/register_all.hpp"

namespace frictionbench::solvers {

void register_nonsmooth_newton(Registry& registry) {
  FRICTIONBENCH_REGISTER(registry, ncp_newton);
  FRICTIONBENCH_REGISTER(registry, ncp_prox);
}

}  // namespace frictionbench::solvers
