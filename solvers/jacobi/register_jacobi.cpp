#include "frictionbench/solvers/jacobi/ccp_jacobi.hpp"
#include "frictionbench/solvers/jacobi/ncp_jacobi.hpp"
#include "frictionbench/solvers/register_all.hpp"

namespace frictionbench::solvers {

void register_jacobi(Registry& registry) {
  registry.add<NcpJacobi>();
  registry.add<CcpJacobi>();
}

}  // namespace frictionbench::solvers
