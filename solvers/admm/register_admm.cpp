#include "frictionbench/solvers/register_all.hpp"

namespace frictionbench::solvers {

void register_admm(Registry& registry) {
  FRICTIONBENCH_REGISTER(registry, ncp_admm);
  FRICTIONBENCH_REGISTER(registry, ccp_admm);
}

}  // namespace frictionbench::solvers
