#include "register_all.hpp"
#include "staggered/ccp_desaxce.hpp"
#include "staggered/ncp_staggered.hpp"
#include "staggered/ncp_tresca.hpp"

namespace frictionbench::solvers {

void register_staggered(Registry& registry) {
  registry.add<NcpStaggered>();
  registry.add<NcpTresca>();
  registry.add<CcpDesaxce>();
}

}  // namespace frictionbench::solvers
