#include "interior_point/newton_system.hpp"

#include "frictionbench/problem/facts.hpp"

namespace frictionbench::solvers {

namespace {

constexpr double solved = 1e-12;  // relative residual that needs no refinement

Vector cone_factors_of(const ContactProblem& problem) {
  const Index dim = problem.dimension();
  Vector E = Vector::Ones(problem.unknowns());
  for (Index i = 0; i < problem.contacts(); ++i)
    E.segment(dim * i + 1, dim - 1).setConstant(problem.mu()[i]);
  return E;
}

std::variant<ShiftedCholesky, ShiftedLu> factorization_of(NewtonSystem::Kind kind,
                                                          const SparseMatrix& W, const Vector& E,
                                                          Index block, WorkCounters& work) {
  if (kind == NewtonSystem::Kind::unsymmetric)
    return ShiftedLu(E.asDiagonal() * W * E.asDiagonal(), block, work);
  return ShiftedCholesky(E.asDiagonal() * symmetric_part(W) * E.asDiagonal(), work, std::nullopt,
                         block);
}

}  // namespace

NewtonSystem::NewtonSystem(Kind kind, const ContactProblem& problem, const DelassusOperator& W,
                           WorkCounters& work, int refinements)
    : W_(&W),
      E_(cone_factors_of(problem)),
      refinements_(refinements),
      factorization_(factorization_of(kind, W.matrix(), E_, problem.dimension(), work)) {}

bool NewtonSystem::factorize(const BlockDiagonal& S) {
  S_ = &S;
  return std::visit([&](auto& factorization) { return factorization.factorize(S); },
                    factorization_);
}

Vector NewtonSystem::solve(const Vector& b) {
  const auto divide = [this](Vector& x) {
    std::visit([&](auto& factorization) { factorization.solve_in_place(x); }, factorization_);
  };
  Vector x = b;
  divide(x);
  for (int k = 0; k < refinements_; ++k) {
    Vector residual = b - E_.cwiseProduct(W_->times(E_.cwiseProduct(x))) - S_->times(x);
    if (residual.norm() <= solved * b.norm()) break;
    divide(residual);
    x += residual;
  }
  return x;
}

}  // namespace frictionbench::solvers
