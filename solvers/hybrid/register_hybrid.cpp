#include "frictionbench/solvers/hybrid/ncp_hybrid.hpp"
#include "frictionbench/solvers/register_all.hpp"

namespace frictionbench::solvers {

void register_hybrid(Registry& registry) { registry.add<NcpHybrid>(); }

}  // namespace frictionbench::solvers
