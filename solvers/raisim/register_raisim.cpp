#include "frictionbench/solvers/raisim/raisim.hpp"
#include "frictionbench/solvers/register_all.hpp"

namespace frictionbench::solvers {

void register_raisim(Registry& registry) { registry.add<Raisim>(); }

}  // namespace frictionbench::solvers
