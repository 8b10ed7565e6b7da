#include "frictionbench/solvers/register_all.hpp"

namespace frictionbench::solvers {

// Adds the solver that the function `entry` makes. Declares the function, so that a solver needs no
// header: it takes one file, and one line below.
#define FRICTIONBENCH_REGISTER(entry) \
  extern RegisteredSolver entry();    \
  registry.add(entry())

Registry all_solvers() {
  Registry registry;
  FRICTIONBENCH_REGISTER(ccp_admm);
  FRICTIONBENCH_REGISTER(ccp_apgd);
  FRICTIONBENCH_REGISTER(ccp_ipm);
  FRICTIONBENCH_REGISTER(ccp_jacobi);
  FRICTIONBENCH_REGISTER(ccp_newton);
  FRICTIONBENCH_REGISTER(ccp_pgs);
  FRICTIONBENCH_REGISTER(ccp_sap);
  FRICTIONBENCH_REGISTER(ccp_spg);
  FRICTIONBENCH_REGISTER(lcp_pgs);
  FRICTIONBENCH_REGISTER(ncp_admm);
  FRICTIONBENCH_REGISTER(ncp_desaxce);
  FRICTIONBENCH_REGISTER(ncp_hybrid);
  FRICTIONBENCH_REGISTER(ncp_ipm);
  FRICTIONBENCH_REGISTER(ncp_jacobi);
  FRICTIONBENCH_REGISTER(ncp_newton);
  FRICTIONBENCH_REGISTER(ncp_nsgs);
  FRICTIONBENCH_REGISTER(ncp_pgs);
  FRICTIONBENCH_REGISTER(ncp_prox);
  FRICTIONBENCH_REGISTER(ncp_staggered);
  FRICTIONBENCH_REGISTER(ncp_tresca);
  FRICTIONBENCH_REGISTER(raisim);
  return registry;
}

}  // namespace frictionbench::solvers
