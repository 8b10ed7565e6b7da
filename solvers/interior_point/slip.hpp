/// \file
/// The De Saxcé correction in cone coordinates, in which mu drops out: s(z) = (||z_1||, 0).
#pragma once

#include "frictionbench/math/lorentz_cone.hpp"

namespace frictionbench::solvers {

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

/// J^-1 = 2 I - J, because (ds/dz)^2 = 0.
template <int Dim>
ConeMatrix<Dim> inverse_slip_jacobian(const ConeVector<Dim>& z) {
  return 2 * ConeMatrix<Dim>::Identity() - slip_jacobian<Dim>(z);
}

}  // namespace frictionbench::solvers
