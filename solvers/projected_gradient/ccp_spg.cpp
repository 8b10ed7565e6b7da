#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solvers/projected_gradient/spectral_gradient.hpp"

namespace frictionbench::solvers {

namespace {

/// Spectral projected gradient for the CCP: Heyn, Anitescu, Tasora, Negrut, Int. J. Numer. Methods
/// Eng. 95 (2013); in Chrono as the Barzilai-Borwein solver, and cited by [Castro22]. See
/// SpectralGradient for the iteration. The preconditioner of the source, the mean diagonal entry of
/// a contact, is the equilibration `scaling=contacts`.
struct CcpSpg {
  SpectralGradient::Settings search;
  Scaling scaling = Scaling::contacts;

  void describe(SettingFields& fields) {
    fields.add(
        "memory", search.memory, at_least(0),
        "number of previous costs that the non-monotone line search compares with; 0 disables "
        "the line search",
        "Chrono, ChSolverBB: n_armijo");
    fields.add("max_backtracks", search.max_backtracks, at_least(0),
               "maximum number of times that a step is shortened; it is then accepted",
               "Chrono, ChSolverBB: max_armijo_backtrace");
    describe_scaling(fields, scaling);
  }
};

void run(const CcpSpg& settings, Solve& solve) {
  solve.use(settings.scaling);
  const ConvexQuadratic cones = cone_problem(solve);
  SpectralGradient method(cones, solve.start(), TrialSteps(solve.work()), settings.search);
  while (solve.begin_iteration()) {
    method.step();
    if (solve.ends(method.x(), method.gradient())) return;
  }
}

}  // namespace

RegisteredSolver ccp_spg() {
  return solver_entry(
      {.name = "ccp-spg",
       .model = ContactModel::ccp,
       .summary = "spectral projected gradient with a non-monotone line search",
       .sources = {"Heyn, Anitescu, Tasora, Negrut, Int. J. Numer. Methods Eng. 95 "
                   "(2013)",
                   "Birgin, Martinez, Raydan, SIAM J. Optim. 10 (2000)", "Chrono, ChSolverBB"}},
      run);
}

}  // namespace frictionbench::solvers
