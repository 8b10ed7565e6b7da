#include "frictionbench/solvers/register_all.hpp"

namespace frictionbench::solvers {

void register_jacobi(Registry& registry) {
  FRICTIONBENCH_REGISTER(registry, ncp_jacobi);
  FRICTIONBENCH_REGISTER(registry, ccp_jacobi);
}

}  // namespace frictionbench::solvers
