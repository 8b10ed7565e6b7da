#include "frictionbench/solvers/register_all.hpp"

namespace frictionbench::solvers {

void register_compliant_newton(Registry& registry) {
  FRICTIONBENCH_REGISTER(registry, ccp_newton);
  FRICTIONBENCH_REGISTER(registry, ccp_sap);
}

}  // namespace frictionbench::solvers
