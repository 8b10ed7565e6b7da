// Another project's use of the library: a registered solver on a problem of its own, and the verdict.
//
// A unit mass at 1 m/s towards the ground and 2 m/s along it, mu = 0.5. The normal impulse stops the
// fall, r_N = 1; the tangential velocity is too large to be stopped, so friction is at its limit:
// r_T = -0.5.

#include <frictionbench/criteria/verdict.hpp>
#include <frictionbench/solvers/register_all.hpp>

#include <cmath>
#include <iostream>

int main() {
  using namespace frictionbench;

  SparseMatrix W(3, 3);
  W.setIdentity();
  const ContactProblem problem(3, Vector::Constant(1, 0.5), LocalForm{W, Eigen::Vector3d(-1, 2, 0)});

  const ConfiguredSolver solver = solvers::all_solvers().make("ncp-pgs");
  const Result result = solver.solver->solve(problem, Limits{});
  const Verdict verdict = judge(problem, result.r);

  std::cout << solver.id << ": " << name(result.status) << ", r = " << result.r.transpose()
            << ", NCP residual " << verdict.ncp.max() << '\n';
  const bool right = (result.r - Eigen::Vector3d(1, -0.5, 0)).norm() < 1e-6;
  return right && verdict.solved(ContactModel::ncp, Scale::absolute, 1e-6) ? 0 : 1;
}
