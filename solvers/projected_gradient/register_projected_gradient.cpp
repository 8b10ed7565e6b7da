#include "projected_gradient/ccp_apgd.hpp"
#include "projected_gradient/ccp_spg.hpp"
#include "register_all.hpp"

namespace frictionbench::solvers {

void register_projected_gradient(Registry& registry) {
  registry.add<CcpApgd>();
  registry.add<CcpSpg>();
}

}  // namespace frictionbench::solvers
