#include "frictionbench/solvers/compliant_newton/ccp_newton.hpp"
#include "frictionbench/solvers/compliant_newton/ccp_sap.hpp"
#include "frictionbench/solvers/register_all.hpp"

namespace frictionbench::solvers {

void register_compliant_newton(Registry& registry) {
  registry.add<CcpNewton>();
  registry.add<CcpSap>();
}

}  // namespace frictionbench::solvers
