// The LCP solvers of DART: README.md.
#include <dart/external/odelcpsolver/common.h>

#include <array>
#include <cstdint>
#include <dart/constraint/DantzigBoxedLcpSolver.hpp>
#include <dart/constraint/PgsBoxedLcpSolver.hpp>
#include <dart/lcpsolver/Lemke.hpp>
#include <limits>
#include <string>

#include "solvers/peers/boxed_lcp.hpp"

namespace frictionbench::peers {

namespace {

using dart::constraint::DantzigBoxedLcpSolver;
using dart::constraint::PgsBoxedLcpSolver;

constexpr int boxed_contacts = 3000;   // three dense matrices of 3 n_c rows: 2 GB
constexpr int lifted_contacts = 1000;  // four of 6 n_c rows: 1.2 GB

// The arguments of BoxedLcpSolver::solve(), which changes all of them.
struct Terms {
  Terms(const Request& request, const SparseMatrix& W, const Vector& start)
      : boxed(request, W, std::numeric_limits<double>::infinity()), x(boxed.sorted(start)) {
    const int row_length = dPAD(boxed.size());
    A.setZero(boxed.size(), row_length);
    for (int row = 0; row < boxed.size(); ++row)
      for (SparseMatrix::InnerIterator entry(boxed.A, row); entry; ++entry)
        A(row, entry.col()) = entry.value();
  }

  bool solve(dart::constraint::BoxedLcpSolver& solver) {
    return solver.solve(boxed.size(), A.data(), x.data(), boxed.b.data(), 0, boxed.lower.data(),
                        boxed.upper.data(), boxed.normal_of.data(), true);
  }

  BoxedLcp boxed;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> A;
  Vector x;
};

// DART's ContactConstraint multiplies each diagonal entry by 1 + 1e-5.
SparseMatrix with_cfm(SparseMatrix W) {
  W.diagonal() *= 1 + 1e-5;
  return W;
}

bool solve_dantzig(const SparseMatrix& W, const Request& request, Answer& answer) {
  Terms terms(request, W, Vector::Zero(request.unknowns()));
  DantzigBoxedLcpSolver solver;
  const bool solved = terms.solve(solver) && terms.x.allFinite();
  if (!solved) terms.x.setZero();  // in another order, where solve() gave up
  terms.boxed.store(terms.x, answer);
  answer.end(solved ? FRICTIONBENCH_CONVERGED : FRICTIONBENCH_STALLED, 0);
  if (!solved) answer.say("DantzigBoxedLcpSolver returned false or NaN");
  return solved;
}

void dantzig(const Request& request, Answer& answer) {
  require_at_most(boxed_contacts, request);
  require_positive_diagonal(request);
  solve_dantzig(symmetric_W(request), request, answer);
}

void dantzig_cfm(const Request& request, Answer& answer) {
  require_at_most(boxed_contacts, request);
  require_positive_diagonal(request);
  solve_dantzig(with_cfm(symmetric_W(request)), request, answer);
}

// As BoxedLcpConstraintSolver has it by default: what the first does not solve is left to the other,
// with its defaults.
void dantzig_pgs(const Request& request, Answer& answer) {
  require_at_most(boxed_contacts, request);
  require_positive_diagonal(request);
  const SparseMatrix W = with_cfm(symmetric_W(request));
  if (solve_dantzig(W, request, answer)) return;
  answer.say("PgsBoxedLcpSolver after DantzigBoxedLcpSolver");
  Terms terms(request, W, Vector::Zero(request.unknowns()));
  PgsBoxedLcpSolver solver;
  const bool solved = terms.solve(solver);
  terms.boxed.store(terms.x, answer);
  end_finite(answer, solved ? FRICTIONBENCH_CONVERGED : FRICTIONBENCH_STALLED, 0);
}

// The first sweep of a call has a test of its own, which counts in the first call only. What
// solve() changes of A and b, their scale, does not matter to the next call.
void projected_gauss_seidel(const Request& request, Answer& answer) {
  require_at_most(boxed_contacts, request);
  PgsBoxedLcpSolver solver;
  PgsBoxedLcpSolver::Option option;
  option.mDeltaXThreshold = option.mRelativeDeltaXTolerance = request.tolerance();
  Terms terms(request, request.W(), answer.r);

  const Sweeps swept = sweep_in_batches(request, [&](int sweeps) {
    option.mMaxIteration = sweeps;
    solver.setOption(option);
    const bool solved = terms.solve(solver);
    option.mDeltaXThreshold = -1;
    return solved;
  });
  terms.boxed.store(terms.x, answer);
  end_finite(answer, swept.status, swept.count);
}

void lemke(const Request& request, Answer& answer) {
  require_at_most(lifted_contacts, request);
  static const std::array meanings = {"solved", "1000 pivots", "ended on a ray",
                                      "its answer is not valid", "diverged"};
  const LiftedLcp lifted(request);
  Vector z;
  const int error = dart::lcpsolver::Lemke(lifted.M, lifted.q, &z);
  lifted.store(z, answer);
  answer.report("error code", error);
  if (error != 0)
    answer.say("Lemke() returned " + std::to_string(error) + ": " +
               meanings.at(static_cast<std::size_t>(error)));
  end_finite(answer,
             error == 0   ? FRICTIONBENCH_CONVERGED
             : error == 1 ? FRICTIONBENCH_MAX_ITERATIONS
                          : FRICTIONBENCH_STALLED,
             0);
}

}  // namespace

const Peer& peer() {
  static const Peer dart = {
      PEER_VERSION,
      {{"dart-dantzig",
        "lcp",
        "DART: DantzigBoxedLcpSolver; friction bounded by the normals without friction",
        {2, 3},
        dantzig},
       {"dart-dantzig-cfm",
        "lcp",
        "dart-dantzig with the diagonal of W times 1 + 1e-5",
        {2, 3},
        dantzig_cfm},
       {"dart-dantzig-pgs",
        "lcp",
        "dart-dantzig-cfm, then 30 sweeps of PGS where that fails",
        {2, 3},
        dantzig_pgs},
       {"dart-pgs", "lcp", "DART: PgsBoxedLcpSolver", {2, 3}, projected_gauss_seidel},
       {"dart-lemke", "lcp", "DART: Lemke() on the LCP of the friction pyramid", {2, 3}, lemke}}};
  return dart;
}

}  // namespace frictionbench::peers
