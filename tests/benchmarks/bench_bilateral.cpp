// What bilateral rows cost: the pieces of kkt-proximal and its whole solve, beside dense factorisations and
// the elimination that solvers of contacts have. Whole solves begin with an analysis, and do not include
// the reduction to W, which the harness times apart.
//
// Robots have the kinematic trees of those that Carpentier, Budhiraja and Mansard (RSS 2021) time: as many
// limbs, of as many joints, on a floating base, with as many feet on the ground, but not their shapes.
// Chains and binary trees in maximal coordinates grow, and `per_link` says whether costs are linear.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <Eigen/Dense>
#include <string>
#include <vector>

#include "frictionbench/linalg/kkt_ldlt.hpp"
#include "frictionbench/problem/reduction.hpp"
#include "frictionbench/solvers/register_all.hpp"
#include "support/kinematic_trees.hpp"

namespace frictionbench {
namespace {

constexpr double mu = 1e-6;

Vector diagonal(const ContactProblem& problem) { return Vector::Constant(problem.unknowns(), mu); }

Vector right_hand_side(const ContactProblem& problem) {
  const GlobalForm& form = *problem.global();
  Vector right(form.f.size() + form.w.size());
  right << form.f, -form.w;
  return right;
}

Matrix kkt_matrix(const ContactProblem& problem) {
  const GlobalForm& form = *problem.global();
  const Matrix H = form.H;
  const Index n = H.rows(), m = H.cols();
  Matrix K(n + m, n + m);
  K << Matrix(form.M), H, H.transpose(), (-diagonal(problem)).asDiagonal().toDenseMatrix();
  return K;
}

void analysis(benchmark::State& state, const ContactProblem& problem) {
  WorkCounters work;
  for (auto _ : state) benchmark::DoNotOptimize(KktLdlt(*problem.global(), work));
}

void factorization(benchmark::State& state, const ContactProblem& problem) {
  WorkCounters work;
  KktLdlt ldlt(*problem.global(), work);
  for (auto _ : state)
    if (!ldlt.factorize(diagonal(problem))) state.SkipWithError("not quasi-definite");
  state.counters["nonzeros"] = static_cast<double>(ldlt.nonzeros());
}

void triangular_solve(benchmark::State& state, const ContactProblem& problem) {
  WorkCounters work;
  KktLdlt ldlt(*problem.global(), work);
  if (!ldlt.factorize(diagonal(problem))) state.SkipWithError("not quasi-definite");
  const Vector right = right_hand_side(problem);
  for (auto _ : state) benchmark::DoNotOptimize(ldlt.solve(right));
}

// Of the KKT matrix, with pivoting.
void dense_lu(benchmark::State& state, const ContactProblem& problem) {
  const Matrix K = kkt_matrix(problem);
  for (auto _ : state) benchmark::DoNotOptimize(Eigen::PartialPivLU<Matrix>(K));
}

// Of M, and of the damped Delassus matrix that it is to give.
void dense_delassus(benchmark::State& state, const ContactProblem& problem) {
  const Matrix M = problem.global()->M, H = problem.global()->H;
  for (auto _ : state) {
    const Eigen::LLT<Matrix> mass(M);
    const Matrix half = mass.matrixL().solve(H);
    Matrix W = half.transpose() * half;
    W.diagonal() += diagonal(problem);
    benchmark::DoNotOptimize(Eigen::LLT<Matrix>(W));
  }
}

// To W, which is before every whole solve.
void reduction(benchmark::State& state, const ContactProblem& problem) {
  for (auto _ : state) benchmark::DoNotOptimize(reduce(*problem.global()));
}

// To 1e-9 in SI units.
void whole_solve(benchmark::State& state, const ContactProblem& problem,
                 const std::string& solver) {
  const ConfiguredSolver configured = solvers::all_solvers().make(solver);
  problem.local();
  Limits limits;
  limits.tolerance = 1e-9;
  Result result;
  for (auto _ : state) result = configured.solver->solve(problem, limits, std::move(result));
  if (result.status != Status::converged) state.SkipWithError("not solved");
  state.counters["solver_iterations"] = result.iterations;
}

template <typename Piece>
void add(const std::string& name, const ContactProblem& problem, Index links, const Piece& piece) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    piece(state, problem);
    state.counters["per_link"] = benchmark::Counter(
        static_cast<double>(links),
        benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  })->Unit(benchmark::kMicrosecond);
}

// \param dense whether to time what is cubic in the size of the problem, too.
void add_pieces(const std::string& tree, const ContactProblem& problem, Index links, bool dense) {
  const std::string name = fmt::format("bilateral/{}/n={:04}/m={:04}/", tree,
                                       problem.global()->f.size(), problem.unknowns());
  add(name + "reduction", problem, links, reduction);
  add(name + "analysis", problem, links, analysis);
  add(name + "factorization", problem, links, factorization);
  add(name + "triangular_solve", problem, links, triangular_solve);
  std::vector<std::string> solvers{"kkt-proximal", "kkt-proximal(route=delassus)"};
  if (dense) {
    add(name + "dense_lu", problem, links, dense_lu);
    add(name + "dense_delassus", problem, links, dense_delassus);
    solvers.push_back("ncp-admm(bilateral=eliminate)");
  }
  for (const std::string& solver : solvers)
    add(name + solver, problem, links,
        [solver](benchmark::State& state, const auto& of) { whole_solve(state, of, solver); });
}

const bool registered = [] {
  struct Robot {
    const char* name;
    std::vector<int> limbs;
    int feet;
  };
  for (const auto& [name, limbs, feet] :
       {Robot{"like_solo8", {2, 2, 2, 2}, 4}, Robot{"like_anymal_b", {3, 3, 3, 3}, 4},
        Robot{"like_icub", {6, 6, 7, 7, 6}, 2}, Robot{"like_talos", {6, 6, 8, 8, 2, 2}, 2}}) {
    const test::KinematicTree tree = test::robot(limbs, feet);
    const auto links = static_cast<Index>(tree.links.size());
    add_pieces(fmt::format("{}/generalized", name), in_generalized_coordinates(tree), links, true);
    add_pieces(fmt::format("{}/maximal", name), in_maximal_coordinates(tree), links, true);
  }
  for (const int links : {8, 32, 128, 512}) {
    const bool small = links <= 128;
    add_pieces(fmt::format("chain/{:04}", links), in_maximal_coordinates(test::chain(links)), links,
               small);
    add_pieces(fmt::format("binary_tree/{:04}", links),
               in_maximal_coordinates(test::binary_tree(links)), links, small);
  }
  return true;
}();

}  // namespace
}  // namespace frictionbench
