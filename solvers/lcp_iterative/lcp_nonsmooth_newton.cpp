#include "frictionbench/solver/facets.hpp"
#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solvers/lcp_iterative/fischer_newton.hpp"

namespace frictionbench::solvers {

namespace {

/// Nonsmooth Newton on the function of Fischer and Burmeister, for the polyhedral LCP of
/// [YamaneNakamura08] (25): De Luca, Facchinei, Kanzow (1996), for contacts Silcowitz, Niebe, Erleben
/// (2009), in programs fischer_newton.m of num4lcp and FischerBurmeisterNewtonSolver of DART. The
/// iteration is in FischerNewton. The start is judged first, in an iteration of its own.
///
/// Deviations from these:
/// 1. The Newton equation is solved by an LU factorisation of the size of W, see FischerNewton.
/// 2. As weights beta are not unique, its matrix is often singular. num4lcp then takes the
///    pseudo-inverse, DART a rank-revealing QR, De Luca et al. the gradient. Here `damping` keeps it regular,
///    and vanishes with Phi.
/// 3. The gradient also follows where no step along the Newton direction is accepted.
///    num4lcp and DART end there.
/// 4. The line search is not monotone (`memory`); theirs is, and is stopped by kinks.
/// 5. Where z_i = w_i = 0, the element of the generalised Jacobian is that of De Luca et al., section 7.
///    DART smooths phi, num4lcp perturbs z.
/// 6. z is not kept >= 0 (`project`), as in De Luca et al.; num4lcp and DART project.
/// 7. It ends by the residuals of the pyramid, in the units of the run.
struct LcpNonsmoothNewton {
  int facets = 8;
  FischerNewtonRule rule;
  int patience = 200;
  Scaling scaling = Scaling::contacts;

  void describe(SettingFields& fields);
  void adapt(SolverInfo& info) const { info.facets = facets; }
};

void LcpNonsmoothNewton::describe(SettingFields& fields) {
  describe_facets(fields, facets, "[YamaneNakamura08] section V: 8");
  fields.add(
      "damping", rule.damping, at_least(0),
      "this times min(1, ||Phi|| / sqrt(n)) is added to the diagonal of M in the Newton matrix",
      "measured on real files: 1e-3 to 0.1 perform alike; with 0, as in the sources, a fifth "
      "fewer are solved");
  fields.add("descent", rule.descent, at_least(0),
             "a Newton direction d is used if its slope is at most -descent ||d||^power",
             "De Luca, Facchinei, Kanzow (2000), and Siconos: 1e-8; num4lcp: 2e-16 with power 2");
  fields.add("power", rule.power, above(2), "exponent of that test",
             "De Luca, Facchinei, Kanzow (2000), and Siconos: 2.1");
  fields.add(
      "decrease", rule.decrease, open_interval(0, 0.5),
      "Armijo constant: fraction of the predicted decrease of ||Phi||^2 / 2 that a step must "
      "achieve",
      "DART: 1e-4; num4lcp: 1e-3");
  fields.add("halvings", rule.halvings, at_least(0), "maximum number of step halvings",
             "num4lcp: 46; DART: 7; 10 and 40 perform alike on real files");
  fields.add("memory", rule.memory, at_least(1),
             "number of previous values of ||Phi||^2 / 2, of which the largest is the reference of "
             "the line search; 1: monotone, as in num4lcp and DART",
             "Grippo, Lampariello, Lucidi (1986); with 1, a quarter fewer real files are solved");
  fields.add("project", rule.project, "whether iterates are projected on z >= 0",
             "no: De Luca, Facchinei, Kanzow (1996); with yes, as in num4lcp and DART, real files "
             "take twice the iterations");
  fields.add(
      "patience", patience, at_least(1),
      "the solve ends `stalled` after this many iterations without a 1 % decrease of the residual",
      "as in ncp-newton");
  describe_scaling(fields, scaling);
}

void run(const LcpNonsmoothNewton& settings, Solve& solve) {
  solve.use(settings.scaling);
  solve.stall_after(settings.patience);
  if (!solve.begin_iteration()) return;
  const Vector r = solve.start(), u = solve.W().velocity(r);
  if (solve.ends(r, u)) return;

  const ContactVariables contacts(solve.problem(), settings.facets);
  FischerNewton newton(settings.rule, contacts, solve.problem(), solve.work());
  newton.start(contacts.variables(r, u));
  int gradient_steps = 0;
  while (solve.begin_iteration()) {
    const FischerNewton::Step step = newton.advance();
    if (step == FischerNewton::Step::none)
      return solve.stall("neither the Newton direction nor the gradient lowers ||Phi||");
    gradient_steps += step == FischerNewton::Step::gradient;
    solve.report("gradient_steps", gradient_steps);
    if (solve.ends(newton.impulse(), newton.velocity())) return;
  }
}

}  // namespace

RegisteredSolver lcp_nonsmooth_newton() {
  return solver_entry(
      {.name = "lcp-nonsmooth-newton",
       .model = ContactModel::lcp,
       .facets = 8,
       .summary = "nonsmooth Newton on the Fischer-Burmeister equations of a pyramid of 8 facets",
       .sources = {"Fischer, Optimization 24 (1992)",
                   "De Luca, Facchinei, Kanzow, Math. Program. 75 (1996)",
                   "Silcowitz, Niebe, Erleben, VRIPHYS (2009)", "[YamaneNakamura08] (25)"}},
      run);
}

}  // namespace frictionbench::solvers
