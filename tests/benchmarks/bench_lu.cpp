// SupernodalLu beside UMFPACK, which looks for pivots: the measurement behind the choice of ShiftedLu.
//
// One iteration is what a path pays for one: a factorisation of W and an unsymmetric block for each
// contact, and two solves. Matrices are W of real FCLIB problems, and of made-up contact networks
// whose factors fill in.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <Eigen/UmfPackSupport>

#include "contact_network.hpp"
#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/linalg/shifted_cholesky.hpp"
#include "frictionbench/linalg/supernodal_lu.hpp"
#include "sample_files.hpp"

namespace frictionbench {
namespace {

constexpr int solves = 2;

ShiftableMatrix shifted(const ContactProblem& problem) {
  BlockDiagonal blocks(problem.block_shape());
  const double size = problem.local().W.diagonal().mean();
  for (Index i = 0; i < blocks.blocks(); ++i) {
    blocks.block(i).diagonal().setConstant(size);
    blocks.block(i).row(0).array() -= size / 2;
  }
  ShiftableMatrix matrix(problem.local().W, problem.block_shape());
  matrix.shift(blocks);
  return matrix;
}

void on_panels(benchmark::State& state, const ContactProblem& problem) {
  const ShiftableMatrix matrix = shifted(problem);
  SupernodalLu lu(matrix.matrix(), problem.block_shape());
  for (auto _ : state) {
    Vector x = problem.local().q;
    if (!lu.factorize(matrix.matrix())) state.SkipWithError("singular");
    for (int k = 0; k < solves; ++k) lu.solve_in_place(x);
    benchmark::DoNotOptimize(x.data());
  }
}

void by_umfpack(benchmark::State& state, const ContactProblem& problem, int ordering) {
  const ShiftableMatrix matrix = shifted(problem);
  Eigen::UmfPackLU<ColumnMatrix> lu;
  lu.umfpackControl()(UMFPACK_ORDERING) = ordering;
  lu.umfpackControl()(UMFPACK_IRSTEP) = 0;
  lu.analyzePattern(matrix.matrix());
  for (auto _ : state) {
    Vector x = problem.local().q;
    lu.factorize(matrix.matrix());
    if (lu.info() != Eigen::Success) state.SkipWithError("singular");
    for (int k = 0; k < solves; ++k) x = lu.solve(x).eval();
    benchmark::DoNotOptimize(x.data());
  }
}

void register_methods(const char* kind, const ContactProblem& problem) {
  const SparseMatrix& W = problem.local().W;
  if (W.rows() <= CholeskyRule{}.largest_dense) return;
  const double m = static_cast<double>(W.rows());
  const std::string name = fmt::format("lu/{}/m={:05}/density={:.4f}", kind, W.rows(),
                                       static_cast<double>(W.nonZeros()) / (m * m));
  const auto add = [&](const char* method, auto&& run) {
    benchmark::RegisterBenchmark(fmt::format("{}/{}", name, method).c_str(), run)
        ->Unit(benchmark::kMicrosecond);
  };
  add("panels", [problem](benchmark::State& state) { on_panels(state, problem); });
  add("umfpack, amd",
      [problem](benchmark::State& state) { by_umfpack(state, problem, UMFPACK_ORDERING_AMD); });
  add("umfpack, metis",
      [problem](benchmark::State& state) { by_umfpack(state, problem, UMFPACK_ORDERING_METIS); });
}

const bool registered = [] {
  for (const char* form : {"local", "global"})
    for (const auto& path : bench::sample_files(form, 4))
      register_methods(form, fclib::read_problem(path.string()).problem);
  for (const Index contacts : {200, 800})
    for (const int neighbours : {4, 8, 16})
      register_methods("network", bench::random_network(contacts, neighbours));
  return true;
}();

}  // namespace
}  // namespace frictionbench
