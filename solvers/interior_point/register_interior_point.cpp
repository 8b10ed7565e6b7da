#include "frictionbench/solvers/interior_point/ccp_ipm.hpp"
#include "frictionbench/solvers/interior_point/ncp_ipm.hpp"
#include "frictionbench/solvers/register_all.hpp"

namespace frictionbench::solvers {

void register_interior_point(Registry& registry) {
  registry.add<CcpIpm>();
  registry.add<NcpIpm>();
}

}  // namespace frictionbench::solvers
