#include "newton/ccp_newton.hpp"
#include "newton/ccp_sap.hpp"
#include "newton/ncp_newton.hpp"
#include "newton/ncp_prox.hpp"
#include "register_all.hpp"

namespace frictionbench::solvers {

void register_newton(Registry& registry) {
  registry.add<CcpNewton>();
  registry.add<CcpSap>();
  registry.add<NcpNewton>();
  registry.add<NcpProx>();
}

}  // namespace frictionbench::solvers
