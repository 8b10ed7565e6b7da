#include "frictionbench/solvers/register_all.hpp"

namespace frictionbench::solvers {

void register_staggered(Registry& registry) {
  FRICTIONBENCH_REGISTER(registry, ncp_staggered);
  FRICTIONBENCH_REGISTER(registry, ncp_tresca);
  FRICTIONBENCH_REGISTER(registry, ncp_desaxce);
}

}  // namespace frictionbench::solvers
