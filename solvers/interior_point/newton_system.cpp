#include "frictionbench/solvers/interior_point/newton_system.hpp"

#include <utility>

#include "frictionbench/problem/facts.hpp"

namespace frictionbench::solvers {

namespace {

// Shift of a matrix that is singular in double precision, relative to W's mean diagonal (1 for a
// scaled problem) and to each block of S. Refinement compensates for it.
constexpr double lift = 1e-14;
constexpr double accurate = 1e-3;  // error of a direction that needs no refinement, relative

Vector cone_factors_of(const ContactProblem& problem) {
  const Index dim = problem.dimension();
  Vector E = Vector::Ones(problem.unknowns());
  for (Index i = 0; i < problem.contacts(); ++i)
    E.segment(dim * i + 1, dim - 1).setConstant(problem.mu()[i]);
  return E;
}

std::variant<ShiftedCholesky, ShiftedLu> factorization_of(bool symmetric, const DelassusOperator& W,
                                                          const Vector& E, Index block,
                                                          WorkCounters& work) {
  if (!symmetric) return W.lu(E);
  return ShiftedCholesky(E.asDiagonal() * symmetric_part(W.matrix()) * E.asDiagonal(), work,
                         std::nullopt, block);
}

}  // namespace

template <int Dim>
NewtonSystem<Dim>::NewtonSystem(Kind kind, Solve& solve, int refinements)
    : W_(&solve.W()),
      E_(cone_factors_of(solve.problem())),
      refinements_(refinements),
      factorization_(factorization_of(kind == Kind::symmetric, *W_, E_, Dim, solve.work())),
      J_(Dim, solve.contacts()) {}

template <int Dim>
bool NewtonSystem<Dim>::factorize(BlockDiagonal J, const BlockDiagonal& D, double shift) {
  J_ = std::move(J);
  shift_ = shift;
  BlockDiagonal S(Dim, D.blocks());
  for (Index i = 0; i < D.blocks(); ++i) {
    S.block(i).noalias() = J_.block(i) * D.block(i);
    S.block(i).diagonal().array() += shift;
  }
  const auto try_with_S = [&] {
    return std::visit([&](auto& factorization) { return factorization.factorize(S); },
                      factorization_);
  };
  if (try_with_S()) return true;
  for (Index i = 0; i < S.blocks(); ++i)
    S.block(i).diagonal().array() += lift * (1 + S.block(i).norm());
  return try_with_S();
}

template <int Dim>
int NewtonSystem<Dim>::determinant_sign() const {
  const ShiftedLu* lu = std::get_if<ShiftedLu>(&factorization_);
  return lu ? lu->determinant_sign() : 1;
}

template <int Dim>
Vector NewtonSystem<Dim>::solve(Vector b) {
  std::visit([&](auto& factorization) { factorization.solve_in_place(b); }, factorization_);
  return b;
}

// The dz of the first equation.
template <int Dim>
Vector NewtonSystem<Dim>::velocity_step(const Vector& dx, const Vector& F) const {
  Vector dz = F + E_.cwiseProduct(W_->times(E_.cwiseProduct(dx))) + shift_ * dx;
  for (Index i = 0; i < J_.blocks(); ++i) {
    auto dz_i = dz.segment<Dim>(Dim * i);
    J_.block(i).template triangularView<Eigen::Upper>().solveInPlace(dz_i);
  }
  return dz;
}

template <int Dim>
auto NewtonSystem<Dim>::direction(const CentralPath<Dim>& path, const Vector& F, const Vector& p)
    -> Direction {
  Direction found{.dx = solve(J_.times(p) - F), .dz = {}};
  for (int k = 0;; ++k) {
    found.dz = velocity_step(found.dx, F);
    const Vector error = p - path.times_scale(found.dx) - found.dz;
    const double size = path.scaled(found.dx, found.dz).norm();
    // Also ends where a value is not finite.
    if (!(path.widest(error) > accurate * size) || k == refinements_) return found;
    found.dx += solve(J_.times(error));
  }
}

template class NewtonSystem<2>;
template class NewtonSystem<3>;

}  // namespace frictionbench::solvers
