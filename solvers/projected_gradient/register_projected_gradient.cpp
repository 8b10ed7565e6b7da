#include "frictionbench/solvers/register_all.hpp"

namespace frictionbench::solvers {

void register_projected_gradient(Registry& registry) {
  FRICTIONBENCH_REGISTER(registry, ccp_apgd);
  FRICTIONBENCH_REGISTER(registry, ccp_spg);
}

}  // namespace frictionbench::solvers
