#include "frictionbench/solvers/register_all.hpp"

namespace frictionbench::solvers {

void register_hybrid(Registry& registry) {
  FRICTIONBENCH_REGISTER(registry, ncp_hybrid);
}

}  // namespace frictionbench::solvers
