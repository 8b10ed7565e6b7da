/// \file
/// Friction pyramids: the friction cone with a polygon instead of Coulomb's disc.
#pragma once

#include <vector>

#include "frictionbench/math/types.hpp"

namespace frictionbench {

// The pyramid of the LCP model ([LeLidec24] section III-A),
// P_mu = { x : |x_T1| <= mu x_N, |x_T2| <= mu x_N }, with dual { x : mu ||x_T||_1 <= x_N }.
// In 2D it is the friction cone itself.

/// The counterpart of De Saxcé's correction for the pyramid: mu ||u_T||_1, the support function of
/// the box |t_i| <= mu. With û = u + (mu ||u_T||_1, 0, 0), P ∋ r ⟂ û ∈ P^* is Signorini's condition
/// and maximum dissipation over the pyramid, which is the LCP.
double pyramid_correction(const Eigen::Ref<const Vector>& u, double mu);

/// Euclidean projection of x, (N, T...), on P_mu.
Vector project_on_pyramid(const Eigen::Ref<const Vector>& x, double mu);

/// Euclidean distance from x to P_mu.
double distance_to_pyramid(const Eigen::Ref<const Vector>& x, double mu);

/// Euclidean distance from x to the dual of P_mu.
double distance_to_dual_pyramid(const Eigen::Ref<const Vector>& x, double mu);

/// The friction pyramid over a regular polygon of K facets around Coulomb's disc, in 3D:
///
///     P_mu = { x : d_k . x_T <= mu x_N, k = 0 ... K - 1 }
///     d_k  = (cos(2 pi k / K), sin(2 pi k / K))
///
/// K = 4 is the pyramid above. Friction is up to 1 / cos(pi / K) times Coulomb's, in a direction
/// that is wrong by up to pi / K.
///
/// It is equivalent to the lifted form of Stewart and Trinkle (1996) and [YamaneNakamura08]
/// (17)-(26), r_T = sum_k beta_k e_k with beta >= 0 and sum_k beta_k <= mu r_N, where e_k are the
/// corners of the polygon for mu r_N = 1. Their corners lie on the disc, which gives as little as
/// cos(pi / K) times Coulomb's friction: their pyramid is this one for mu cos(pi / K), turned by
/// pi / K. For an odd K, which they exclude, friction differs in opposite directions.
class RegularPyramid {
 public:
  /// \param facets K >= 3.
  explicit RegularPyramid(int facets);

  int facets() const { return static_cast<int>(normals_.size()); }  ///< K

  /// The corner e_k of the polygon for mu r_N = 1, at which the facets k and k + 1 meet.
  /// \param k 0 ... K - 1.
  Eigen::Vector2d corner(int k) const;

  /// The counterpart of De Saxcé's correction: mu max_k -u_T . e_k, the support function of the
  /// polygon. With û = u + (correction, 0, 0), P ∋ r ⟂ û ∈ P^* is the lifted LCP with beta and its
  /// multiplier eliminated.
  double correction(const Eigen::Vector3d& u, double mu) const;

  /// Euclidean projection of x, (N, T1, T2), on P_mu.
  Eigen::Vector3d project(const Eigen::Vector3d& x, double mu) const;

  /// The point s of the polygon d_k . s <= radius that minimises (s - t).A (s - t) / 2 + g.(s - t).
  /// A = I and g = 0 project t.
  /// \param A symmetric, positive semidefinite, not zero.
  Eigen::Vector2d minimise(const Eigen::Matrix2d& A, const Eigen::Vector2d& g,
                           const Eigen::Vector2d& t, double radius) const;

 private:
  std::size_t facet_towards(const Eigen::Vector2d& t) const;  // the k with the largest d_k . t

  std::vector<Eigen::Vector2d> normals_;  // d_k
  double half_facet_;                     // tan(pi / K), for mu r_N = 1
};

}  // namespace frictionbench
