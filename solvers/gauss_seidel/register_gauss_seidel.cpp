#include "frictionbench/solvers/gauss_seidel/ccp_pgs.hpp"
#include "frictionbench/solvers/gauss_seidel/lcp_pgs.hpp"
#include "frictionbench/solvers/gauss_seidel/ncp_nsgs.hpp"
#include "frictionbench/solvers/gauss_seidel/ncp_pgs.hpp"
#include "frictionbench/solvers/register_all.hpp"

namespace frictionbench::solvers {

void register_gauss_seidel(Registry& registry) {
  registry.add<NcpPgs>();
  registry.add<CcpPgs>();
  registry.add<LcpPgs>();
  registry.add<NcpNsgs>();
}

}  // namespace frictionbench::solvers
