#include "frictionbench/solvers/interior_point/newton_system.hpp"

#include <limits>
#include <utility>

#include "frictionbench/problem/facts.hpp"

namespace frictionbench::solvers {

namespace {

// Shift of a matrix that is singular in double precision, relative to W's mean diagonal (1 for a
// scaled problem) and to each block of S. Refinement compensates for it.
constexpr double lift = 1e-14;
constexpr double accurate = 1e-3;  // error of a direction that needs no refinement, relative

std::variant<ShiftedCholesky, ShiftedLu> factorization_of(bool symmetric, const DelassusOperator& W,
                                                          const Vector& E, const BlockShape& shape,
                                                          WorkCounters& work) {
  if (!symmetric) return W.lu(E);
  return ShiftedCholesky(E.asDiagonal() * symmetric_part(W.matrix()) * E.asDiagonal(), shape, work);
}

}  // namespace

template <typename Coordinates>
NewtonSystem<Coordinates>::NewtonSystem(const Coordinates& coordinates, Kind kind, Solve& solve,
                                        int refinements)
    : coordinates_(&coordinates),
      W_(&solve.W()),
      refinements_(refinements),
      factorization_(factorization_of(kind == Kind::symmetric, *W_, coordinates.scale(),
                                      coordinates.blocks(), solve.work())),
      J_(coordinates.cones()) {}

template <typename Coordinates>
bool NewtonSystem<Coordinates>::factorize(BlockDiagonal J, const BlockDiagonal& D, double shift) {
  J_ = std::move(J);
  shift_ = shift;
  BlockDiagonal J_D(D.shape());
  for (Index i = 0; i < D.blocks(); ++i) J_D.block(i).noalias() = J_.block(i) * D.block(i);
  BlockDiagonal S = coordinates_->condensed(std::move(J_D));
  for (Index i = 0; i < S.blocks(); ++i) S.block(i).diagonal().array() += shift;
  const auto try_with_S = [&] {
    return std::visit([&](auto& factorization) { return factorization.factorize(S); },
                      factorization_);
  };
  if (try_with_S()) return true;
  for (Index i = 0; i < S.blocks(); ++i)
    S.block(i).diagonal().array() += lift * (1 + S.block(i).norm());
  return try_with_S();
}

template <typename Coordinates>
int NewtonSystem<Coordinates>::determinant_sign() const {
  const ShiftedLu* lu = std::get_if<ShiftedLu>(&factorization_);
  return lu ? lu->determinant_sign() : 1;
}

template <typename Coordinates>
Vector NewtonSystem<Coordinates>::solve(Vector b) {
  std::visit([&](auto& factorization) { factorization.solve_in_place(b); }, factorization_);
  return b;
}

template <typename Coordinates>
auto NewtonSystem<Coordinates>::direction(const Path& path, const Vector& F, const Vector& p,
                                          const Vector& slack) -> Direction {
  const Vector& E = coordinates_->scale();
  const auto with_cones = [&](const Vector& in_cones) {
    return coordinates_->from_cones(J_.times(in_cones));
  };
  const Vector target = slack.size() > 0 ? Vector(p - path.times_scale(slack)) : p;
  Direction found{.dy = solve(with_cones(target) - F), .dx = {}, .dz = {}, .scaled = {}};
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0;; ++k) {
    found.dx = coordinates_->to_cones(found.dy);
    if (slack.size() > 0) found.dx += slack;
    Vector moved = F + E.cwiseProduct(W_->times(E.cwiseProduct(found.dy))) + shift_ * found.dy;
    found.dz = coordinates_->velocity_step(J_, path, std::move(moved), p, found.dx);
    found.scaled = path.scaled(found.dx, found.dz);
    const double missing = path.miss(p, found.scaled);
    // Also ends where a value is not finite.
    if (!(missing > accurate * found.scaled.norm() && missing < before / 2) || k == refinements_)
      return found;
    before = missing;
    found.dy += solve(with_cones(p - path.times_scale(found.dx) - found.dz));
  }
}

template class NewtonSystem<FrictionCoordinates<2>>;
template class NewtonSystem<FrictionCoordinates<3>>;
template class NewtonSystem<ConicCoordinates>;

}  // namespace frictionbench::solvers
