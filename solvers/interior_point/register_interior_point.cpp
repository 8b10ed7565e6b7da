#include "frictionbench/solvers/register_all.hpp"

namespace frictionbench::solvers {

void register_interior_point(Registry& registry) {
  FRICTIONBENCH_REGISTER(registry, ccp_ipm);
  FRICTIONBENCH_REGISTER(registry, ncp_ipm);
}

}  // namespace frictionbench::solvers
