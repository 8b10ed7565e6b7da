// A solver for frictionbench in C++ with Eigen: projected gradient for the CCP, r <- P_K(r - u / L).
//
//   c++ -O2 -shared -fPIC -I lib -I /usr/include/eigen3 solvers/external/examples/eigen_gradient.cpp -o libgradient.so
//   frictionbench run FOLDER --plugin ./libgradient.so --solver eigen-gradient --criterion ccp
#include <Eigen/SparseCore>
#include <algorithm>
#include <chrono>

#include "frictionbench/solver_plugin.h"

namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int32_t>;

void project_on_cone(Eigen::Ref<Vector> r, double mu) {
  const double normal = r[0], tangent = r.tail(r.size() - 1).norm();
  if (tangent <= mu * normal) return;
  r[0] = std::max(0.0, (normal + mu * tangent) / (1 + mu * mu));
  if (tangent > 0) r.tail(r.size() - 1) *= mu * r[0] / tangent;
}

}  // namespace

int32_t frictionbench_plugin_version() { return FRICTIONBENCH_PLUGIN_VERSION; }

const char* frictionbench_describe() {
  return R"({"solvers": [{"name": "eigen-gradient", "model": "ccp", "storage": "columns",
                          "summary": "projected gradient in C++ with Eigen"}]})";
}

int32_t frictionbench_solve(const char*, const frictionbench_problem* problem,
                            frictionbench_answer* answer) {
  const Eigen::Index size = problem->W.rows, d = problem->dimension;
  const Eigen::Map<const Matrix> W(size, size, problem->W.starts[size], problem->W.starts,
                                   problem->W.indices, problem->W.values);
  const Eigen::Map<const Vector> q(problem->q, size);
  Eigen::Map<Vector> r(answer->r, size);
  const double L =
      std::max(1e-300, (W.cwiseAbs() * Vector::Ones(size)).maxCoeff());  // >= lambda_max
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  answer->status = FRICTIONBENCH_MAX_ITERATIONS;
  while (answer->iterations < problem->max_iterations) {
    ++answer->iterations;
    const Vector old = r;
    r -= (W * old + q) / L;
    double change = 0;
    for (Eigen::Index i = 0; i < problem->contacts; ++i) {
      project_on_cone(r.segment(d * i, d), problem->mu[i]);
      change = std::max(change, problem->velocity_unit[i] * L * (r - old).segment(d * i, d).norm());
    }
    const double time = std::chrono::duration<double>(Clock::now() - start).count();
    if (change <= 0.1 * problem->tolerance)
      answer->status = FRICTIONBENCH_CONVERGED;
    else if (time > problem->time_limit)
      answer->status = FRICTIONBENCH_TIME_LIMIT;
    if (answer->status != FRICTIONBENCH_MAX_ITERATIONS) break;
  }
  return 0;
}
