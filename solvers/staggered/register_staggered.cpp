#include "frictionbench/solvers/register_all.hpp"
#include "frictionbench/solvers/staggered/ccp_desaxce.hpp"
#include "frictionbench/solvers/staggered/ncp_staggered.hpp"
#include "frictionbench/solvers/staggered/ncp_tresca.hpp"

namespace frictionbench::solvers {

void register_staggered(Registry& registry) {
  registry.add<NcpStaggered>();
  registry.add<NcpTresca>();
  registry.add<CcpDesaxce>();
}

}  // namespace frictionbench::solvers
