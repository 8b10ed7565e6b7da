#include "frictionbench/solvers/interior_point/newton_system.hpp"

#include "frictionbench/problem/facts.hpp"

namespace frictionbench::solvers {

namespace {

// Shift of a matrix that is singular in double precision, relative to W's mean diagonal (1 for a
// scaled problem) and to each block of S. Refinement compensates for it.
constexpr double lift = 1e-14;

Vector cone_factors_of(const ContactProblem& problem) {
  const Index dim = problem.dimension();
  Vector E = Vector::Ones(problem.unknowns());
  for (Index i = 0; i < problem.contacts(); ++i)
    E.segment(dim * i + 1, dim - 1).setConstant(problem.mu()[i]);
  return E;
}

std::variant<ShiftedCholesky, ShiftedLu> factorization_of(NewtonSystem::Kind kind,
                                                          const DelassusOperator& W,
                                                          const Vector& E, Index block,
                                                          WorkCounters& work) {
  if (kind == NewtonSystem::Kind::unsymmetric) return W.lu(E);
  return ShiftedCholesky(E.asDiagonal() * symmetric_part(W.matrix()) * E.asDiagonal(), work,
                         std::nullopt, block);
}

}  // namespace

NewtonSystem::NewtonSystem(Kind kind, Solve& solve, int refinements, double accuracy)
    : W_(&solve.W()),
      E_(cone_factors_of(solve.problem())),
      refinements_(refinements),
      accuracy_(accuracy),
      factorization_(factorization_of(kind, *W_, E_, solve.problem().dimension(), solve.work())) {}

bool NewtonSystem::factorize(const BlockDiagonal& S) {
  S_ = &S;
  const auto try_with = [this](const BlockDiagonal& blocks) {
    return std::visit([&](auto& factorization) { return factorization.factorize(blocks); },
                      factorization_);
  };
  if (try_with(S)) return true;
  BlockDiagonal lifted = S;
  for (Index i = 0; i < S.blocks(); ++i)
    lifted.block(i).diagonal().array() += lift * (1 + S.block(i).norm());
  return try_with(lifted);
}

int NewtonSystem::determinant_sign() const {
  const ShiftedLu* lu = std::get_if<ShiftedLu>(&factorization_);
  return lu ? lu->determinant_sign() : 1;
}

Vector NewtonSystem::solve(const Vector& b) {
  const auto divide = [this](Vector& x) {
    std::visit([&](auto& factorization) { factorization.solve_in_place(x); }, factorization_);
  };
  Vector x = b;
  divide(x);
  for (int k = 0; k < refinements_; ++k) {
    Vector residual = b - E_.cwiseProduct(W_->times(E_.cwiseProduct(x))) - S_->times(x);
    if (residual.norm() <= accuracy_ * b.norm()) break;
    divide(residual);
    x += residual;
  }
  return x;
}

}  // namespace frictionbench::solvers
