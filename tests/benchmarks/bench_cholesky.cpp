// Which Cholesky backend is fastest for what: the measurement behind CholeskyRule.
//
// One iteration is what ADMM pays for a penalty: one factorisation and twenty solves. Matrices are
// W of real FCLIB problems, spread over sizes and densities, and of made-up contact networks whose
// factors fill in, which no real file here does; the backends side by side, the dual one on files
// in global form.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <vector>

#include "contact_network.hpp"
#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/linalg/delassus_operator.hpp"
#include "sample_files.hpp"

namespace frictionbench {
namespace {

constexpr int solves = 20;

void factor_and_solve(benchmark::State& state, const ContactProblem& problem,
                      CholeskyBackend backend) {
  WorkCounters work;
  ShiftedCholesky cholesky = DelassusOperator(problem, work).preconditioner(backend);
  Vector x = problem.local().q;
  double shift = 0.1;
  for (auto _ : state) {
    if (!cholesky.factorize(shift)) state.SkipWithError("not positive definite");
    for (int k = 0; k < solves; ++k) cholesky.solve_in_place(x);
    benchmark::DoNotOptimize(x.data());
    x = problem.local().q;
    shift = 0.3 - shift;
  }
}

void register_backends(const char* kind, const ContactProblem& problem) {
  const SparseMatrix& W = problem.local().W;
  if (W.rows() == 0) return;
  const double m = static_cast<double>(W.rows());
  WorkCounters unused;
  const CholeskyBackend chosen = DelassusOperator(problem, unused).preconditioner().backend();
  std::vector<CholeskyBackend> backends{CholeskyBackend::dense, CholeskyBackend::simplicial,
                                        CholeskyBackend::supernodal};
  std::string freedom;
  if (problem.global()) {
    backends.push_back(CholeskyBackend::dual);
    freedom = fmt::format("/n={:04}", problem.global()->M.rows());
  }
  for (const CholeskyBackend backend : backends)
    benchmark::RegisterBenchmark(
        fmt::format("cholesky/{}/m={:04}{}/density={:.3f}/{}{}", kind, W.rows(), freedom,
                    static_cast<double>(W.nonZeros()) / (m * m), name(backend),
                    backend == chosen ? "/chosen" : "")
            .c_str(),
        [problem, backend](benchmark::State& state) { factor_and_solve(state, problem, backend); })
        ->Unit(benchmark::kMicrosecond);
}

const bool registered = [] {
  for (const char* form : {"local", "global"})
    for (const auto& path : bench::sample_files(form, 4))
      register_backends(form, fclib::read_problem(path.string()).problem);
  for (const Index contacts : {50, 100, 200, 400, 800})
    for (const int neighbours : {4, 8, 16, 40})
      register_backends("network", bench::random_network(contacts, neighbours));
  return true;
}();

}  // namespace
}  // namespace frictionbench
