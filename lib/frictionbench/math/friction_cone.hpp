/// \file
/// The Coulomb friction cone of one contact, K_mu = { x : ||x_T|| <= mu x_N }, and its dual.
///
/// A contact's vector is ordered as in FCLIB, normal first: (N, T1, T2) in 3D, (N, T) in 2D.
/// The functions take any Eigen vector of that length, fixed size where speed matters.
/// mu = 0 is legal: K_0 is the half line x_N >= 0, x_T = 0; its dual is the half space x_N >= 0.
#pragma once

#include <algorithm>
#include <type_traits>

#include "frictionbench/math/short_vectors.hpp"

namespace frictionbench {

/// The tangential components of a contact's vector; of fixed size if the vector is.
template <typename Vector>
auto tangent_of(Vector&& x) {
  using Plain = std::remove_cvref_t<Vector>;
  constexpr int size =
      Plain::SizeAtCompileTime == Eigen::Dynamic ? Eigen::Dynamic : Plain::SizeAtCompileTime - 1;
  return x.tail(Eigen::fix<size>(static_cast<int>(x.size()) - 1));
}

/// De Saxcé correction mu ||u_T||, which is added to the normal component of u:
/// û = u + (mu ||u_T||, 0, 0), [Carpentier24] (27).
template <typename Derived>
double de_saxce_correction(const Eigen::MatrixBase<Derived>& u, double mu) {
  return mu * tangent_norm(u);
}

/// Euclidean projection of x on K_mu.
template <typename Derived>
typename Derived::PlainObject project_on_cone(const Eigen::MatrixBase<Derived>& x, double mu) {
  const double normal = x[0];
  const double tangent = tangent_norm(x);
  if (normal >= 0 && tangent <= mu * normal) return x;  // inside; mu normal is -0 if mu is 0
  typename Derived::PlainObject projected(x.size());
  if (mu * tangent <= -normal) {  // in the polar cone: the apex is the nearest point
    projected.setZero();
    return projected;
  }
  projected[0] = (normal + mu * tangent) / (1 + mu * mu);
  const double shortened = mu * projected[0] / tangent;
  for (Index k = 1; k < x.size(); ++k) projected[k] = shortened * x[k];
  return projected;
}

/// Euclidean distance from x to K_mu, in the unit of x.
template <typename Derived>
double distance_to_cone(const Eigen::MatrixBase<Derived>& x, double mu) {
  return short_norm(x - project_on_cone(x, mu));
}

/// Euclidean distance from x to the dual cone K_mu^* = { x : mu ||x_T|| <= x_N }: the length of P_K(-x),
/// as x + P_K(-x) is the nearest point (Moreau).
template <typename Derived>
double distance_to_dual_cone(const Eigen::MatrixBase<Derived>& x, double mu) {
  return short_norm(project_on_cone(-x, mu));
}

/// Projects t on the disc of this radius: shortens it if it is longer ([LeLidec24] Alg. 6).
template <typename Derived>
void project_on_disc(Eigen::MatrixBase<Derived>& t, double radius) {
  const double length = short_norm(t);
  if (!(length > radius)) return;
  const double shortened = length > 0 ? std::max(radius, 0.0) / length : 0;
  for (Index k = 0; k < t.size(); ++k) t[k] *= shortened;
}

/// Calls f with the problem's dimension (2 or 3) as a std::integral_constant, so that loops over
/// contacts are compiled for fixed-size vectors.
template <typename Function>
decltype(auto) with_dimension(int dimension, Function&& f) {
  if (dimension == 2) return f(std::integral_constant<int, 2>{});
  eigen_assert(dimension == 3);
  return f(std::integral_constant<int, 3>{});
}

}  // namespace frictionbench
