// Another project's use of the library: solvers on a problem of its own, and the verdict. One is
// registered, one is the project's own.
//
// A unit mass at 1 m/s towards the ground and 2 m/s along it, mu = 0.5. The normal impulse stops
// the fall, r_N = 1; the tangential velocity is too large to be stopped, so friction is at its
// limit: r_T = -0.5.

#include <algorithm>
#include <frictionbench/criteria/verdict.hpp>
#include <frictionbench/solvers/register_all.hpp>
#include <iostream>

namespace {

using namespace frictionbench;

// Jacobi's iteration for contacts that are not coupled, as a solver from outside.
struct Uncoupled {
  double share = 0.9;
  void describe(SettingFields& fields) {
    fields.add("share", share, open_interval(0, 2), "of the step that solves a contact", "none");
  }
};

void solve_uncoupled(const Uncoupled& settings, Solve& solve) {
  Vector r = solve.start();
  while (solve.begin_iteration()) {
    Vector target = r - solve.W().velocity(r).cwiseQuotient(solve.W().matrix().diagonal());
    for (Index i = 0; i < solve.contacts(); ++i) {
      auto r_i = target.segment<3>(3 * i);
      r_i[0] = std::max(0.0, r_i[0]);
      auto r_T = tangent_of(r_i);
      project_on_disc(r_T, solve.mu(i) * r_i[0]);
    }
    r += settings.share * (target - r);
    if (solve.ends(r, solve.W().velocity(r))) return;
  }
}

bool solves(const ConfiguredSolver& solver, const ContactProblem& problem) {
  const Result result = solver.solver->solve(problem, Limits{});
  const Verdict verdict = judge(problem, result.r);
  std::cout << solver.id << ": " << name(result.status) << ", r = " << result.r.transpose()
            << ", NCP residual " << verdict.ncp.max() << '\n';
  return (result.r - Eigen::Vector3d(1, -0.5, 0)).norm() < 1e-5 &&
         verdict.solved(ContactModel::ncp, Scale::absolute, 1e-6);
}

}  // namespace

int main() {
  SparseMatrix W(3, 3);
  W.setIdentity();
  const ContactProblem problem(3, Vector::Constant(1, 0.5),
                               LocalForm{W, Eigen::Vector3d(-1, 2, 0)});

  Registry registry = solvers::all_solvers();
  registry.add(solver_entry({.name = "uncoupled",
                             .model = ContactModel::ncp,
                             .summary = "contacts that are not coupled",
                             .sources = {"this file"}},
                            solve_uncoupled));
  bool all = true;
  for (const char* solver : {"ncp-pgs", "uncoupled(share=0.8)"})
    all = solves(registry.make(solver), problem) && all;
  return all ? 0 : 1;
}
