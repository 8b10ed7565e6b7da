#include "hybrid/ncp_hybrid.hpp"
#include "register_all.hpp"

namespace frictionbench::solvers {

void register_hybrid(Registry& registry) { registry.add<NcpHybrid>(); }

}  // namespace frictionbench::solvers
