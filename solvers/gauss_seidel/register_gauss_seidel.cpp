#include "frictionbench/solvers/register_all.hpp"

namespace frictionbench::solvers {

void register_gauss_seidel(Registry& registry) {
  FRICTIONBENCH_REGISTER(registry, ncp_pgs);
  FRICTIONBENCH_REGISTER(registry, ccp_pgs);
  FRICTIONBENCH_REGISTER(registry, lcp_pgs);
  FRICTIONBENCH_REGISTER(registry, ncp_nsgs);
}

}  // namespace frictionbench::solvers
