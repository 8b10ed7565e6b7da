#include "frictionbench/solvers/register_all.hpp"

namespace frictionbench::solvers {

void register_raisim(Registry& registry) {
  FRICTIONBENCH_REGISTER(registry, raisim);
}

}  // namespace frictionbench::solvers
