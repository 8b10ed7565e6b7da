#include "raisim/raisim.hpp"
#include "register_all.hpp"

namespace frictionbench::solvers {

void register_raisim(Registry& registry) { registry.add<Raisim>(); }

}  // namespace frictionbench::solvers
