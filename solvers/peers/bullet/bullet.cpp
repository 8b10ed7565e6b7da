// The solvers of Bullet's MLCP interface, in double precision: README.md.
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btLemkeSolver.h>
#include <BulletDynamics/MLCPSolvers/btSolveProjectedGaussSeidel.h>

#include <cstdint>
#include <string>

#include "solvers/peers/boxed_lcp.hpp"

namespace frictionbench::peers {

namespace {

constexpr double infinity = 1e10;      // Bullet's upper limit of a contact
constexpr int boxed_contacts = 3000;   // three dense matrices of 3 n_c rows: 2 GB
constexpr int lifted_contacts = 1000;  // seven of 6 n_c rows: 2 GB

btVectorXu to_bullet(const Vector& from) {
  btVectorXu to(static_cast<int>(from.size()));
  for (int k = 0; k < to.size(); ++k) to[k] = from[k];
  return to;
}

Vector from_bullet(const btVectorXu& from) {
  Vector to(from.size());
  for (int k = 0; k < from.size(); ++k) to[k] = from[k];
  return to;
}

btMatrixXu to_bullet(const SparseMatrix& from) {
  btMatrixXu to(static_cast<int>(from.rows()), static_cast<int>(from.cols()));
  to.setZero();
  for (int row = 0; row < to.rows(); ++row)
    for (SparseMatrix::InnerIterator entry(from, row); entry; ++entry)
      to.setElem(row, static_cast<int>(entry.col()), entry.value());
  return to;
}

btMatrixXu to_bullet(const Matrix& from) {
  btMatrixXu to(static_cast<int>(from.rows()), static_cast<int>(from.cols()));
  for (int row = 0; row < to.rows(); ++row)
    for (int column = 0; column < to.cols(); ++column) to.setElem(row, column, from(row, column));
  return to;
}

// The arguments of btMLCPSolverInterface::solveMLCP().
struct Mlcp {
  Mlcp(const Request& request, const SparseMatrix& W, const Vector& start)
      : boxed(request, W, infinity),
        A(to_bullet(boxed.A)),
        b(to_bullet(boxed.b)),
        x(to_bullet(boxed.sorted(start))),
        lower(to_bullet(boxed.lower)),
        upper(to_bullet(boxed.upper)) {
    limits.resize(boxed.size());
    for (int row = 0; row < boxed.size(); ++row) limits[row] = boxed.normal_of[row];
  }

  bool solve(btMLCPSolverInterface& solver, int iterations = 0) {
    return solver.solveMLCP(A, b, x, lower, upper, limits, iterations);
  }

  BoxedLcp boxed;
  btMatrixXu A;
  btVectorXu b, x, lower, upper;
  btAlignedObjectArray<int> limits;
};

// A direct method. It reads one triangle of A, so it is given the symmetric part of W. It starts
// from zero, and from any other x would take that for its answer.
void solve_directly(btMLCPSolverInterface& solver, const SparseMatrix& W, const Request& request,
                    Answer& answer) {
  Mlcp mlcp(request, W, Vector::Zero(request.unknowns()));
  const bool solved = mlcp.solve(solver);
  mlcp.boxed.store(from_bullet(mlcp.x), answer);
  if (!solved) answer.say("solveMLCP() returned false");
  end_finite(answer, solved ? FRICTIONBENCH_CONVERGED : FRICTIONBENCH_STALLED, 0);
}

void dantzig(const Request& request, Answer& answer) {
  require_at_most(boxed_contacts, request);
  require_positive_diagonal(request);
  btDantzigSolver solver;
  solve_directly(solver, symmetric_W(request), request, answer);
}

void lemke(const Request& request, Answer& answer) {
  require_at_most(lifted_contacts, request);
  require_positive_diagonal(request);
  btLemkeSolver solver;
  solver.m_maxLoops = static_cast<int>(request.max_iterations());
  solve_directly(solver, request.W(), request, answer);
}

void projected_gauss_seidel(const Request& request, Answer& answer) {
  require_at_most(boxed_contacts, request);
  require_positive_diagonal(request);
  btSolveProjectedGaussSeidel solver;
  solver.m_leastSquaresResidualThreshold = request.tolerance() * request.tolerance();
  Mlcp mlcp(request, request.W(), answer.r);

  const Sweeps swept = sweep_in_batches(request, [&](int sweeps) {
    mlcp.solve(solver, sweeps);
    return solver.m_leastSquaresResidual < solver.m_leastSquaresResidualThreshold;
  });
  answer.report("least squares residual", solver.m_leastSquaresResidual);
  mlcp.boxed.store(from_bullet(mlcp.x), answer);
  end_finite(answer, swept.status, swept.count);
}

void lemke_pyramid(const Request& request, Answer& answer) {
  require_at_most(lifted_contacts, request);
  const LiftedLcp lifted(request);
  const auto max_pivots = static_cast<unsigned>(request.max_iterations());
  btLemkeAlgorithm lemke(to_bullet(lifted.M), to_bullet(lifted.q));
  const Vector solution = from_bullet(lemke.solve(max_pivots));  // (w, z)
  lifted.store(solution.tail(lifted.size()), answer);
  const int pivots = lemke.getSteps();
  if (lemke.getInfo() == 0)
    end_finite(answer, FRICTIONBENCH_CONVERGED, pivots);
  else
    end_finite(
        answer,
        pivots >= request.max_iterations() ? FRICTIONBENCH_MAX_ITERATIONS : FRICTIONBENCH_STALLED,
        pivots);
}

}  // namespace

const Peer& peer() {
  static const Peer bullet = {
      PEER_VERSION,
      {{"bullet-dantzig",
        "lcp",
        "Bullet: btDantzigSolver; friction bounded by the normals without friction",
        {2, 3},
        dantzig},
       {"bullet-pgs", "lcp", "Bullet: btSolveProjectedGaussSeidel", {2, 3}, projected_gauss_seidel},
       {"bullet-lemke",
        "lcp",
        "Bullet: btLemkeSolver; friction bounded by mu, whatever the normals",
        {2, 3},
        lemke},
       {"bullet-lemke-pyramid",
        "lcp",
        "Bullet: btLemkeAlgorithm on the LCP of the friction pyramid",
        {2, 3},
        lemke_pyramid}}};
  return bullet;
}

}  // namespace frictionbench::peers
