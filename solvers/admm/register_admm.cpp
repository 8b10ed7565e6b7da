#include "frictionbench/solvers/admm/ccp_admm.hpp"
#include "frictionbench/solvers/admm/ncp_admm.hpp"
#include "frictionbench/solvers/register_all.hpp"

namespace frictionbench::solvers {

void register_admm(Registry& registry) {
  registry.add<NcpAdmm>();
  registry.add<CcpAdmm>();
}

}  // namespace frictionbench::solvers
