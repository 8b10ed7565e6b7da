#include "frictionbench/solvers/nonsmooth_newton/ncp_newton.hpp"
#include "frictionbench/solvers/nonsmooth_newton/ncp_prox.hpp"
#include "frictionbench/solvers/register_all.hpp"

namespace frictionbench::solvers {

void register_nonsmooth_newton(Registry& registry) {
  registry.add<NcpNewton>();
  registry.add<NcpProx>();
}

}  // namespace frictionbench::solvers
