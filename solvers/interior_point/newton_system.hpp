/// \file
/// Newton's equations of an interior point method in cone coordinates, and the De Saxcé correction
/// there, in which mu drops out: s(z) = (||z_1||, 0).
#pragma once

#include <variant>

#include "frictionbench/linalg/shifted_lu.hpp"
#include "frictionbench/math/lorentz_cone.hpp"
#include "frictionbench/solver/solve.hpp"

namespace frictionbench::solvers {

/// The linear systems of an interior point method in cone coordinates, r = E x and z = E û with
/// E = diag(1, mu, ..), which maps the Lorentz cone to the friction cone. With mu = 0 the rows
/// and columns of the tangents are zero.
///
///     (E W E + S) dx = b,    S block diagonal
///
/// If S is symmetric, the symmetric part of W is factored by Cholesky, otherwise W by LU. Both are
/// refined with W as the file states it, which restores the asymmetric part.
class NewtonSystem {
 public:
  enum class Kind { symmetric, unsymmetric };

  /// The solve must outlive it. \param refinements steps of iterative refinement, a product each.
  /// \param accuracy relative residual that needs no more of them.
  NewtonSystem(Kind kind, Solve& solve, int refinements, double accuracy = 1e-12);

  const Vector& cone_factors() const { return E_; }  ///< the diagonal of E, m

  /// \param S blocks of the problem's dimension. \returns false if the matrix cannot be factored.
  [[nodiscard]] bool factorize(const BlockDiagonal& S);

  /// 1 or -1, the sign of the determinant of the matrix factored last; 1 for `symmetric`.
  int determinant_sign() const;

  /// dx for the S that was factored last, which must still exist. \param b m.
  Vector solve(const Vector& b);

 private:
  const DelassusOperator* W_;
  Vector E_;
  int refinements_;
  double accuracy_;
  std::variant<ShiftedCholesky, ShiftedLu> factorization_;
  const BlockDiagonal* S_ = nullptr;
};

/// ||z_1||: mu ||u_T||, because z_1 = mu u_T.
template <int Dim>
double slip(const ConeVector<Dim>& z) {
  return tangent_of(z).norm();
}

/// J = I - ds/dz. At the kink z_1 = 0 it is I, the mean of the slopes to the two sides.
template <int Dim>
ConeMatrix<Dim> slip_jacobian(const ConeVector<Dim>& z) {
  ConeMatrix<Dim> J = ConeMatrix<Dim>::Identity();
  const double length = slip(z);
  if (length > 0) J.template block<1, Dim - 1>(0, 1) -= tangent_of(z).transpose() / length;
  return J;
}

/// ||z_1||^2 / z_0: another correction with the same solutions, because ||z_1|| = z_0 wherever r
/// is not zero, and smooth inside the cone. With it, u_N r_N = tau on the central path. \param z
/// inside L.
template <int Dim>
double smooth_slip(const ConeVector<Dim>& z) {
  return tangent_of(z).squaredNorm() / z[0];
}

/// J = I - ds/dz of the smooth correction.
template <int Dim>
ConeMatrix<Dim> smooth_slip_jacobian(const ConeVector<Dim>& z) {
  ConeMatrix<Dim> J = ConeMatrix<Dim>::Identity();
  J(0, 0) += tangent_of(z).squaredNorm() / (z[0] * z[0]);
  J.template block<1, Dim - 1>(0, 1) -= 2 * tangent_of(z).transpose() / z[0];
  return J;
}

/// J^-1 = 2 I - J, because (ds/dz)^2 = 0.
template <int Dim>
ConeMatrix<Dim> inverse_slip_jacobian(const ConeVector<Dim>& z) {
  return 2 * ConeMatrix<Dim>::Identity() - slip_jacobian<Dim>(z);
}

}  // namespace frictionbench::solvers
