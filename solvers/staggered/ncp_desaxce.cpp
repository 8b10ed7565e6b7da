#include <algorithm>

#include "frictionbench/solvers/staggered/convex_sequence.hpp"

namespace frictionbench::solvers {

namespace {

/// Fixed point on the De Saxcé correction; each step solves a CCP. [Carpentier24] section III-A,
/// (28); Acary, Cadoux, Lemarechal, Malick (ZAMM 91, 2011), ACLMFP in Siconos.
///
///     s <- Γ(W r + q)
///     r <- argmin r.W r / 2 + r.(q + s)   over   r in K            (28a), a CCP
///
/// The CCPs are solved by any registered CCP solver, each from the previous answer and to a tenth
/// of its NCP residuals, or of the tolerance if that is larger. An iteration is one of the inner
/// solver.
struct NcpDesaxce {
  InnerSolver inner{"ccp-admm"};

  void describe(SettingFields& fields) {
    fields.add("inner", inner, ContactModel::ccp,
               "CCP solver for the subproblems, with settings if needed, e.g. "
               "ccp-admm(rho_update=linear)",
               "[Carpentier24] section III-A: any solver of (28a)");
  }

  // Takes the problems that its inner solver takes.
  void adapt(SolverInfo& info) const {
    info.two_dimensional = inner.solver->info().two_dimensional;
    info.three_dimensional = inner.solver->info().three_dimensional;
    info.zero_diagonal = inner.solver->info().zero_diagonal;
  }
};

void run(const NcpDesaxce& settings, Solve& solve) {
  const Solver& inner = *settings.inner.solver;
  Vector velocity = solve.W().velocity(solve.start());
  convex_sequence(solve, [&](int left, Vector& r, Vector& u) {
    const ContactProblem ccp =
        solve.problem().with_velocity_added(corrections(solve.problem(), velocity));
    Limits limits = solve.limits();
    limits.max_iterations = left;
    const double residual = solve.residuals(r, velocity).max();
    limits.tolerance *=
        0.1 * (limits.tolerance > 0 ? std::max(1.0, residual / limits.tolerance) : 1);
    Observer silent;
    const Result answer = inner.solve(ccp, limits, r, silent);
    solve.add_work(answer.work);
    const std::string reason = inner.info().name + ": " + answer.message;
    if (answer.status == Status::refused) solve.refuse(reason);
    if (answer.status == Status::error) solve.fail(reason);
    if (answer.status == Status::refused || answer.status == Status::error) return 0;
    r = answer.r;
    u = velocity = solve.W().velocity(r);
    return std::max(1, answer.iterations);
  });
}

}  // namespace

RegisteredSolver ncp_desaxce() {
  return solver_entry({.name = "ncp-desaxce",
                       .model = ContactModel::ncp,
                       .summary = "fixed point on the De Saxcé correction; each step solves a CCP",
                       .sources = {"[Carpentier24] section III-A",
                                   "Acary, Cadoux, Lemarechal, Malick, ZAMM 91 (2011)"}},
                      run);
}

}  // namespace frictionbench::solvers
