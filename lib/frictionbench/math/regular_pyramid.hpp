/// \file
/// Friction pyramids of any number of facets.
#pragma once

#include <Eigen/Geometry>
#include <vector>

#include "frictionbench/math/types.hpp"

namespace frictionbench {

/// The friction pyramid over a regular polygon of K facets around Coulomb's disc,
///
///     P_mu = { x : d_k . x_T <= mu x_N, k = 0 ... K - 1 },   d_k = (cos 2 pi k / K, sin 2 pi k /
///     K)
///
/// in 3D. K = 4 is the pyramid of [LeLidec24] section III-A (friction_pyramid.hpp). It gives up to
/// 1 / cos(pi / K) times Coulomb's friction, in a direction wrong by up to pi / K.
///
/// The friction impulses are those of the lifted form of Stewart and Trinkle (1996), [YamaneNakamura08] (17)-(26),
/// r_T = sum_k beta_k e_k with beta >= 0 and sum_k beta_k <= mu r_N, where e_k are the corners of
/// the polygon for mu r_N = 1. Theirs lie on the disc, and so give up to cos(pi / K) times too
/// little: their pyramid is this one for mu cos(pi / K), turned by pi / K. For an odd K, which they
/// leave out, friction is not the same in opposite directions.
class RegularPyramid {
 public:
  /// \param facets K >= 3.
  explicit RegularPyramid(int facets);

  int facets() const { return static_cast<int>(normals_.size()); }

  /// What plays De Saxcé's part: mu max_k -u_T . e_k, the support function of the polygon. With
  /// û = u + (correction, 0, 0), P ∋ r ⟂ û ∈ P^* is the lifted LCP without beta and its multiplier.
  double correction(const Eigen::Vector3d& u, double mu) const;

  /// Euclidean projection of x, (N, T1, T2), on P_mu.
  Eigen::Vector3d project(const Eigen::Vector3d& x, double mu) const;

  /// The point s of the polygon d_k . s <= radius that minimises (s - t).A (s - t) / 2 + g.(s - t).
  /// A = I, g = 0 projects t.
  /// \param A symmetric, positive semidefinite, not zero.
  Eigen::Vector2d minimise(const Eigen::Matrix2d& A, const Eigen::Vector2d& g,
                           const Eigen::Vector2d& t, double radius) const;

 private:
  std::size_t facet_towards(const Eigen::Vector2d& t) const;  // the k with the largest d_k . t

  std::vector<Eigen::Vector2d> normals_;  // d_k
  double half_facet_;                     // tan(pi / K), for mu r_N = 1
};

}  // namespace frictionbench
