#include "admm/ccp_admm.hpp"
#include "admm/ncp_admm.hpp"
#include "register_all.hpp"

namespace frictionbench::solvers {

void register_admm(Registry& registry) {
  registry.add<NcpAdmm>();
  registry.add<CcpAdmm>();
}

}  // namespace frictionbench::solvers
