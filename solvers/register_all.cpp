#include "frictionbench/solvers/register_all.hpp"

namespace frictionbench::solvers {

Registry all_solvers() {
  Registry registry;
  FRICTIONBENCH_REGISTER(registry, ccp_admm);
  FRICTIONBENCH_REGISTER(registry, ccp_apgd);
  FRICTIONBENCH_REGISTER(registry, ccp_ipm);
  FRICTIONBENCH_REGISTER(registry, ccp_jacobi);
  FRICTIONBENCH_REGISTER(registry, ccp_newton);
  FRICTIONBENCH_REGISTER(registry, ccp_pgs);
  FRICTIONBENCH_REGISTER(registry, ccp_sap);
  FRICTIONBENCH_REGISTER(registry, ccp_spg);
  FRICTIONBENCH_REGISTER(registry, external);
  FRICTIONBENCH_REGISTER(registry, kkt_proximal);
  FRICTIONBENCH_REGISTER(registry, lcp_dantzig);
  FRICTIONBENCH_REGISTER(registry, lcp_lemke);
  FRICTIONBENCH_REGISTER(registry, lcp_lemke_lexicographic);
  FRICTIONBENCH_REGISTER(registry, lcp_nonsmooth_newton);
  FRICTIONBENCH_REGISTER(registry, lcp_pgs);
  FRICTIONBENCH_REGISTER(registry, lcp_pivot_search);
  FRICTIONBENCH_REGISTER(registry, lcp_psor);
  FRICTIONBENCH_REGISTER(registry, lcp_staggered);
  FRICTIONBENCH_REGISTER(registry, ncp_active_set);
  FRICTIONBENCH_REGISTER(registry, ncp_admm);
  FRICTIONBENCH_REGISTER(registry, ncp_desaxce);
  FRICTIONBENCH_REGISTER(registry, ncp_hybrid);
  FRICTIONBENCH_REGISTER(registry, ncp_ipm);
  FRICTIONBENCH_REGISTER(registry, ncp_jacobi);
  FRICTIONBENCH_REGISTER(registry, ncp_newton);
  FRICTIONBENCH_REGISTER(registry, ncp_nsgs);
  FRICTIONBENCH_REGISTER(registry, ncp_path);
  FRICTIONBENCH_REGISTER(registry, ncp_pgs);
  FRICTIONBENCH_REGISTER(registry, ncp_prox);
  FRICTIONBENCH_REGISTER(registry, ncp_staggered);
  FRICTIONBENCH_REGISTER(registry, ncp_tresca);
  FRICTIONBENCH_REGISTER(registry, raisim);
  FRICTIONBENCH_REGISTER(registry, rolling_nsgs);
  return registry;
}

}  // namespace frictionbench::solvers
