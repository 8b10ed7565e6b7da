#include "gauss_seidel/ccp_pgs.hpp"
#include "gauss_seidel/lcp_pgs.hpp"
#include "gauss_seidel/ncp_nsgs.hpp"
#include "gauss_seidel/ncp_pgs.hpp"
#include "register_all.hpp"

namespace frictionbench::solvers {

void register_gauss_seidel(Registry& registry) {
  registry.add<NcpPgs>();
  registry.add<CcpPgs>();
  registry.add<LcpPgs>();
  registry.add<NcpNsgs>();
}

}  // namespace frictionbench::solvers
