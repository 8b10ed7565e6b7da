#include "frictionbench/solvers/projected_gradient/ccp_apgd.hpp"
#include "frictionbench/solvers/projected_gradient/ccp_spg.hpp"
#include "frictionbench/solvers/register_all.hpp"

namespace frictionbench::solvers {

void register_projected_gradient(Registry& registry) {
  registry.add<CcpApgd>();
  registry.add<CcpSpg>();
}

}  // namespace frictionbench::solvers
