/// \file
/// Newton's equations of an interior point method in cone coordinates, and the De Saxcé correction
/// there, in which mu drops out: s(z) = (||z_1||, 0) in every cone.
#pragma once

#include <variant>

#include "frictionbench/linalg/shifted_lu.hpp"
#include "frictionbench/solver/solve.hpp"
#include "frictionbench/solvers/interior_point/cone_coordinates.hpp"

namespace frictionbench::solvers {

/// The linear systems of an interior point method in cone coordinates. A direction solves
///
///     E W E dy + shift dy - A^T J dz = -F,      dx = A dy + slack,      N^-1 dx + N dz = N p,      D = N^-2
///
/// through (E W E + A^T J D A + shift I) dy = A^T J (p - D slack) - F. If J is the identity, the
/// symmetric part of W may be factored by Cholesky, otherwise W by LU.
///
/// Near the boundary of the cones, where a contact slides, D has eigenvalues from tau to 1 / tau, so
/// that D dx is mostly rounding. So dz is taken from the first equation, which it meets to rounding,
/// and what is then missing from the last, in the metric of N, is refined away. That also makes up
/// for a W that is not symmetric.
///
/// \tparam Coordinates FrictionCoordinates or ConicCoordinates.
template <typename Coordinates>
class NewtonSystem {
 public:
  using Path = CentralPath<Coordinates::cone_rows>;
  enum class Kind { symmetric, unsymmetric };

  struct Direction {
    Vector dy;      ///< m
    Vector dx, dz;  ///< p
    Vector scaled;  ///< N^-1 dx and N dz, one after the other, 2 p
    bool is_finite() const { return dx.allFinite() && dz.allFinite() && dy.allFinite(); }
  };

  /// Both must outlive it. \param refinements of a direction, at most; a product and a solve each. They
  /// end where one does not halve what is missing. One is mostly enough for a factor of W; through a
  /// global form, where most of the answer may cancel, it may take eight.
  NewtonSystem(const Coordinates& coordinates, Kind kind, Solve& solve, int refinements);

  /// \param J a block a cone, upper triangular; for `symmetric` the identity.
  /// \param D CentralPath::scale(). \returns false if the matrix cannot be factored.
  [[nodiscard]] bool factorize(BlockDiagonal J, const BlockDiagonal& D, double shift = 0);

  /// 1 or -1, the sign of the determinant of the matrix factored last; 1 for `symmetric`.
  int determinant_sign() const;

  /// For the matrix factored last. \param path where D was taken from. \param F m. \param p p.
  /// \param slack p; empty for zero.
  Direction direction(const Path& path, const Vector& F, const Vector& p, const Vector& slack = {});

 private:
  Vector solve(Vector b);

  const Coordinates* coordinates_;
  const DelassusOperator* W_;
  int refinements_;
  std::variant<ShiftedCholesky, ShiftedLu> factorization_;
  BlockDiagonal J_;
  double shift_ = 0;
};

extern template class NewtonSystem<FrictionCoordinates<2>>;
extern template class NewtonSystem<FrictionCoordinates<3>>;
extern template class NewtonSystem<ConicCoordinates>;

/// ||z_1||: mu ||u_T||, because z_1 = mu u_T.
template <int Dim>
double slip(const ConeVector<Dim>& z) {
  return tangent_norm(z);
}

/// J = I - ds/dz. At the kink z_1 = 0 it is I, the mean of the slopes to the two sides.
template <int Dim>
ConeMatrix<Dim> slip_jacobian(const ConeVector<Dim>& z) {
  ConeMatrix<Dim> J = ConeMatrix<Dim>::Identity(z.size(), z.size());
  const double length = slip<Dim>(z);
  if (length > 0) tangent_of(J.row(0)) -= tangent_of(z).transpose() / length;
  return J;
}

/// ||z_1||^2 / z_0: another correction with the same solutions, because ||z_1|| = z_0 wherever r
/// is not zero, and smooth inside the cone. With it, u_N r_N = tau on the central path. \param z
/// inside L.
template <int Dim>
double smooth_slip(const ConeVector<Dim>& z) {
  return tangent_dot(z, z) / z[0];
}

/// J = I - ds/dz of the smooth correction.
template <int Dim>
ConeMatrix<Dim> smooth_slip_jacobian(const ConeVector<Dim>& z) {
  ConeMatrix<Dim> J = ConeMatrix<Dim>::Identity(z.size(), z.size());
  J(0, 0) += tangent_dot(z, z) / (z[0] * z[0]);
  tangent_of(J.row(0)) -= 2 * tangent_of(z).transpose() / z[0];
  return J;
}

}  // namespace frictionbench::solvers
