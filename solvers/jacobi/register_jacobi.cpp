#include "jacobi/ccp_jacobi.hpp"
#include "jacobi/ncp_jacobi.hpp"
#include "register_all.hpp"

namespace frictionbench::solvers {

void register_jacobi(Registry& registry) {
  registry.add<NcpJacobi>();
  registry.add<CcpJacobi>();
}

}  // namespace frictionbench::solvers
